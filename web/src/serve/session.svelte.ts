// What this live session can do beside showing a model.
class Session {
  builder = $state(false); // a study can be built from a table
}

export const session = new Session();
