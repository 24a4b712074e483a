// Hands a text to the reader as a file. A blob link needs no network and the page's policy allows it.
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(name);
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the blob after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Only characters every file system takes: names come from data.
export function fileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+/, '').slice(0, 120) || 'interpole';
}
