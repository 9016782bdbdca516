package dev.hearth.packages.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.repository.AuthenticationContext;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.spi.connector.transport.AbstractTransporter;
import org.eclipse.aether.spi.connector.transport.GetTask;
import org.eclipse.aether.spi.connector.transport.PeekTask;
import org.eclipse.aether.spi.connector.transport.PutTask;
import org.eclipse.aether.spi.connector.transport.Transporter;
import org.eclipse.aether.transfer.TransferCancelledException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files of one repository by HTTP, with the client of {@link HttpURLConnection}, because it bounds each read in
 * time and needs no threads of its own. Follows redirects itself: a password is sent to the repository's own host alone.
 * Several threads may call.
 */
final class HttpTransporter extends AbstractTransporter {
    private static final Logger LOG = LoggerFactory.getLogger(HttpTransporter.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Maximum time without a byte of an answer. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

    private static final int DRAINED_BYTES_MAX = 64 * 1024;
    private static final int REDIRECTS_MAX = 5;
    /** Attempts for a file whose connection breaks. */
    private static final int ATTEMPTS_MAX = 3;

    private final URI base;
    private final Proxy proxy;
    private final Map<String, String> headers;
    private final Authenticator proxyPassword;

    HttpTransporter(RepositorySystemSession session, RemoteRepository repository) {
        String url = repository.getUrl();
        base = URI.create(url.endsWith("/") ? url : url + "/");
        proxy = repository.getProxy() == null
                ? Proxy.NO_PROXY
                : new Proxy(
                        Proxy.Type.HTTP,
                        new InetSocketAddress(
                                repository.getProxy().getHost(),
                                repository.getProxy().getPort()));
        headers = new LinkedHashMap<>(headers(session, repository));
        try (AuthenticationContext own = AuthenticationContext.forRepository(session, repository)) {
            basic(own).ifPresent(value -> headers.put("Authorization", value));
        }
        try (AuthenticationContext ofProxy = AuthenticationContext.forProxy(session, repository)) {
            proxyPassword = new ProxyPassword(ofProxy);
        }
    }

    private static Map<String, String> headers(RepositorySystemSession session, RemoteRepository repository) {
        Map<String, String> headers = new LinkedHashMap<>();
        Object configured = session.getConfigProperties().get(MavenSettings.HEADERS + repository.getId());
        if (configured instanceof Map<?, ?> map) {
            map.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
        }
        return headers;
    }

    private static Optional<String> basic(AuthenticationContext context) {
        if (context == null || context.get(AuthenticationContext.USERNAME) == null) {
            return Optional.empty();
        }
        String password = context.get(AuthenticationContext.PASSWORD);
        String pair = context.get(AuthenticationContext.USERNAME) + ":" + (password == null ? "" : password);
        return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    /** Answers a proxy that asks for a password, and no other server. */
    private static final class ProxyPassword extends Authenticator {
        private final Optional<PasswordAuthentication> answer;

        ProxyPassword(AuthenticationContext context) {
            String user = context == null ? null : context.get(AuthenticationContext.USERNAME);
            String password = context == null ? null : context.get(AuthenticationContext.PASSWORD);
            answer = user == null
                    ? Optional.empty()
                    : Optional.of(new PasswordAuthentication(user, (password == null ? "" : password).toCharArray()));
        }

        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            return getRequestorType() == RequestorType.PROXY ? answer.orElse(null) : null;
        }
    }

    @Override
    public int classify(Throwable error) {
        return error instanceof HttpAnswerException answer && answer.isMissing()
                ? Transporter.ERROR_NOT_FOUND
                : Transporter.ERROR_OTHER;
    }

    @Override
    protected void implPeek(PeekTask task) throws IOException {
        HttpURLConnection connection = open("HEAD", task.getLocation());
        connection.getInputStream().close();
    }

    @Override
    protected void implGet(GetTask task) throws IOException, TransferCancelledException {
        for (int attempt = 1; ; attempt++) {
            try {
                HttpURLConnection connection = open("GET", task.getLocation());
                long length = connection.getContentLengthLong();
                try (WholeBody in = new WholeBody(connection.getInputStream(), length)) {
                    utilGet(task, in, false, length, false);
                    return;
                }
            } catch (IOException broken) {
                if (attempt >= ATTEMPTS_MAX || isFinal(broken)) {
                    throw broken;
                }
            }
        }
    }

    /** Whether another attempt would have the same result. */
    private static boolean isFinal(IOException failure) {
        return failure instanceof HttpAnswerException
                || failure instanceof ConnectException
                || failure instanceof NoRouteToHostException
                || failure instanceof UnknownHostException
                || failure instanceof SSLException;
    }

    /** Sends a request, after redirects, and returns the connection once its answer is a success. */
    private HttpURLConnection open(String method, URI location) throws IOException {
        URI target = base.resolve(location);
        for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
            HttpURLConnection connection = send(method, target);
            int status = connection.getResponseCode();
            String next = connection.getHeaderField("Location");
            if (status / 100 != 3 || next == null) {
                if (status / 100 == 2) {
                    return connection;
                }
                drain(connection);
                throw new HttpAnswerException(status, connection.getResponseMessage(), target);
            }
            drain(connection);
            URI redirected = target.resolve(next);
            boolean isWeaker =
                    target.getScheme().equalsIgnoreCase("https") && !"https".equalsIgnoreCase(redirected.getScheme());
            if (isWeaker || !String.valueOf(redirected.getScheme()).matches("(?i)https?")) {
                throw new HttpAnswerException(status, "redirect to " + redirected.getScheme() + ", refused", target);
            }
            target = redirected;
        }
        throw new HttpAnswerException(HttpURLConnection.HTTP_MOVED_TEMP, "too many redirects", target);
    }

    private HttpURLConnection send(String method, URI target) throws IOException {
        if (!(target.toURL().openConnection(proxy) instanceof HttpURLConnection connection)) {
            throw new IOException(target + ": no address of HTTP");
        }
        connection.setRequestMethod(method);
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        connection.setReadTimeout((int) READ_TIMEOUT.toMillis());
        connection.setUseCaches(false);
        connection.setRequestProperty("User-Agent", "hearth-packages");
        connection.setAuthenticator(proxyPassword);
        if (isOwn(target)) {
            headers.forEach(connection::setRequestProperty);
        }
        return connection;
    }

    private boolean isOwn(URI target) {
        return base.getScheme().equalsIgnoreCase(target.getScheme())
                && base.getAuthority().equalsIgnoreCase(target.getAuthority());
    }

    /** Reads the begin of the body of an answer that is not used, so that the connection may serve the next request. */
    private static void drain(HttpURLConnection connection) throws IOException {
        try (InputStream body = connection.getErrorStream()) {
            if (body != null) {
                int read = body.readNBytes(DRAINED_BYTES_MAX).length;
                LOG.trace("answer {}: {} bytes", connection.getURL(), read);
            }
        }
    }

    @Override
    protected void implPut(PutTask task) throws IOException {
        throw new IOException("packages are never sent");
    }

    @Override
    protected void implClose() {
        // connections that are kept alive are those of the process
    }
}
