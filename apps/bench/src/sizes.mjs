/** A size as people write it. @param {number} bytes */
export function showSize(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10 + 0.01));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
}
