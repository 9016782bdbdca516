package dev.hearth.kubernetes.internal.client;

import dev.hearth.kubernetes.internal.api.ApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/**
 * Connection to a port of a pod, by a port of this machine's loopback address that the client library forwards. Whoever
 * else on this machine connects to that port reaches the pod too, so that the pod must ask for a proof.
 */
final class PodForward implements ApiServer.ForwardedPort {
    private final LocalPortForward forward;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private PodForward(LocalPortForward forward, Socket socket) throws IOException {
        this.forward = forward;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    static PodForward open(KubernetesClient client, String namespace, String pod, int port) throws IOException {
        LocalPortForward forward;
        try {
            forward = client.pods().inNamespace(namespace).withName(pod).portForward(port);
        } catch (KubernetesClientException refused) {
            throw new IOException("port " + port + " of pod " + pod + ": " + refused.getMessage(), refused);
        }
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), forward.getLocalPort());
            return new PodForward(forward, socket);
        } catch (IOException failure) {
            throw new IOException(failure + problems(forward), failure);
        }
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public void close() throws IOException {
        try (LocalPortForward closed = forward;
                Socket ended = socket) {
            if (closed.errorOccurred() && !ended.isClosed()) {
                throw new IOException("forwarded port" + problems(closed));
            }
        }
    }

    private static String problems(LocalPortForward forward) {
        List<Throwable> all = List.copyOf(forward.getServerThrowables());
        return all.isEmpty() ? "" : ": " + all.get(0).getMessage();
    }
}
