// @ts-check
// Sends a large body. `fetch` does not say how much of it was sent.

/**
 * @param {string} path @param {{ method: string, headers: Record<string, string>, body: any }} request
 * @param {(share: number) => void} onSent called with the share that was sent, from 0 to 1
 * @returns {Promise<Response>} rejects if no response came
 */
export function upload(path, { method, headers, body }, onSent) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('No response'));
    request.send(body);
  });
}
