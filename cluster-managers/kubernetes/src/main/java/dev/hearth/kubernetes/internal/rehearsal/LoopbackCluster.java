package dev.hearth.kubernetes.internal.rehearsal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.spi.time.Ticker;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server of this process that answers as an API server does where every request succeeds: pods that are created run, and
 * those of drivers end. It keeps no object but the driver's pod. A thread for each connection; the client
 * keeps few.
 */
final class LoopbackCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackCluster.class);
    private static final String SUCCESS = "{\"kind\":\"Status\",\"status\":\"Success\"}";

    private final LoopbackCertificate certificate;
    private final ServerSocket listening;
    private final AtomicInteger version = new AtomicInteger(1);
    private final BlockingQueue<String> ofDrivers = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ofExecutors = new LinkedBlockingQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile String driver = ""; // the driver's pod, once there is one

    private LoopbackCluster(LoopbackCertificate certificate, ServerSocket listening) {
        this.certificate = certificate;
        this.listening = listening;
    }

    static LoopbackCluster start() throws IOException, GeneralSecurityException {
        LoopbackCertificate certificate =
                LoopbackCertificate.make(Ticker.system().wall());
        LoopbackCluster cluster = new LoopbackCluster(
                certificate,
                certificate
                        .server()
                        .getServerSocketFactory()
                        .createServerSocket(0, 0, InetAddress.getLoopbackAddress()));
        cluster.thread(cluster::accept);
        return cluster;
    }

    /** The kubeconfig file of a client. */
    String kubeconfig() throws GeneralSecurityException {
        String authority = Base64.getEncoder().encodeToString(certificate.pem().getBytes(UTF_8));
        return "apiVersion: v1\nkind: Config\ncurrent-context: rehearsal\n"
                + "contexts:\n- name: rehearsal\n  context: {cluster: loopback, user: loopback, namespace: rehearsal}\n"
                + "clusters:\n- name: loopback\n  cluster:\n    server: \"https://127.0.0.1:" + listening.getLocalPort()
                + "\"\n    certificate-authority-data: " + authority + "\n"
                + "users:\n- name: loopback\n  user: {token: rehearsal}\n";
    }

    private void thread(Runnable work) {
        Thread thread = new Thread(work, "hearth-kubernetes-rehearsal");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                thread(() -> serve(socket));
            }
        } catch (IOException closed) {
            LOG.trace("rehearsal: the server has ended", closed);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String[] request = line.split(" ", -1);
                answer(request[0], request[1], body(in), socket.getOutputStream());
            }
        } catch (IOException closed) {
            LOG.trace("rehearsal: a connection has ended", closed);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    /** Skips the headers of a request and reads its body. */
    private static byte[] body(InputStream in) throws IOException {
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            }
        }
        return in.readNBytes(length);
    }

    /** The next line; empty at the end of the stream. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    private void answer(String method, String target, byte[] body, OutputStream out)
            throws IOException, InterruptedException {
        if (target.contains("watch=true")) {
            watch(target.contains("driver") ? ofDrivers : ofExecutors, out);
        } else if (method.equals("GET") && target.contains("labelSelector=")) {
            String pods = target.contains("driver") ? driver : "";
            reply(200, "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[" + pods + "]}", out);
        } else if (method.equals("POST")) {
            reply(201, created((ObjectNode) Json.read(body)), out);
        } else if (method.equals("DELETE")) {
            reply(200, SUCCESS, out);
        } else {
            String name = target.substring(target.lastIndexOf('/') + 1);
            reply(200, Json.text(identified(Json.object(), name)), out);
        }
    }

    private ObjectNode identified(ObjectNode object, String name) {
        object.withObject("/metadata")
                .put("name", name)
                .put("uid", "uid-of-" + name)
                .put("resourceVersion", String.valueOf(version.incrementAndGet()))
                .put("creationTimestamp", "2020-01-01T00:00:00Z");
        return object;
    }

    private String created(ObjectNode object) {
        identified(object, object.at("/metadata/name").asText());
        String text = Json.text(object);
        if (object.path("kind").asText().equals("Pod")) {
            boolean isDriver = object.at("/metadata/labels/spark-role").asText().equals("driver");
            BlockingQueue<String> events = isDriver ? ofDrivers : ofExecutors;
            events.add(event(object, "Running", "{\"running\":{\"startedAt\":\"2020-01-01T00:00:01Z\"}}"));
            if (isDriver) {
                driver = text;
                events.add(
                        event(
                                object,
                                "Succeeded",
                                "{\"terminated\":{\"exitCode\":0,\"startedAt\":\"2020-01-01T00:00:01Z\",\"finishedAt\":\"2020-01-01T00:00:02Z\"}}"));
            }
        }
        return text;
    }

    /** Event of a watch: the pod is in {@code phase}, and its container in {@code state}. */
    private String event(ObjectNode pod, String phase, String state) {
        ObjectNode object = identified(pod.deepCopy(), pod.at("/metadata/name").asText());
        object.withObject("/spec").put("nodeName", "loopback");
        String container = pod.at("/spec/containers/0/name").asText();
        String status = "{\"phase\":\"" + phase + "\",\"podIP\":\"127.0.0.1\",\"containerStatuses\":[{\"name\":\""
                + container + "\",\"restartCount\":0,\"state\":" + state + "}]}";
        String text = Json.text(object);
        return "{\"type\":\"MODIFIED\",\"object\":" + text.substring(0, text.length() - 1) + ",\"status\":" + status
                + "}}\n";
    }

    private static void watch(BlockingQueue<String> events, OutputStream out) throws IOException, InterruptedException {
        out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                .getBytes(ISO_8859_1));
        while (true) {
            byte[] event = events.take().getBytes(UTF_8);
            out.write((Integer.toHexString(event.length) + "\r\n").getBytes(ISO_8859_1));
            out.write(event);
            out.write("\r\n".getBytes(ISO_8859_1));
            out.flush();
        }
    }

    private static void reply(int status, String body, OutputStream out) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        String head = "HTTP/1.1 " + status + " OK\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                + "\r\nDate: Wed, 01 Jan 2020 00:00:03 GMT\r\n\r\n";
        out.write(head.getBytes(ISO_8859_1));
        out.write(bytes);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
