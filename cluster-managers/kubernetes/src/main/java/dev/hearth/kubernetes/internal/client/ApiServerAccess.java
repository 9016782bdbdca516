package dev.hearth.kubernetes.internal.client;

import dev.hearth.kubernetes.internal.kubeconfig.ClusterEntry;
import dev.hearth.kubernetes.internal.kubeconfig.Kubeconfig;
import dev.hearth.kubernetes.internal.kubeconfig.TextSource;
import dev.hearth.kubernetes.internal.kubeconfig.UserEntry;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * Connections to the API server that a master URL, settings, kubeconfig files and the account of a pod name, in this order
 * of precedence. Immutable.
 */
public final class ApiServerAccess {
    private static final Pattern ADDRESS =
            Pattern.compile("(https?://)?([^/\\s:\\[\\]]+|\\[[0-9a-fA-F:]+\\])(:\\d{1,5})?(/\\S*)?");

    private final Map<String, String> environment;
    private final Path home;
    private final PodAccount account;
    private final Ticker ticker;

    /** Access from a process with these variables, this home directory and this account of a pod. */
    ApiServerAccess(Map<String, String> environment, Path home, PodAccount account, Ticker ticker) {
        this.environment = environment;
        this.home = home;
        this.account = account;
        this.ticker = ticker;
    }

    /** Whether {@code master} is {@code k8s}, {@code k8s://host:port} or {@code k8s://https://host:port}. */
    public static boolean isWellFormed(MasterUrl master) {
        return master.text().equals("k8s")
                || (master.text().startsWith("k8s://")
                        && ADDRESS.matcher(master.rest()).matches());
    }

    /**
     * Opens the client of the API server {@code master}, from a process with the variables {@code environment}. Blocks: it
     * reads files, and may run the plug-in that a kubeconfig file names. Fails with {@code CLUSTER_UNREACHABLE} if there are
     * no credentials.
     */
    static FabricApiServer open(Map<String, String> environment, MasterUrl master, ClusterSettings settings) {
        Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/")));
        return new ApiServerAccess(environment, home, PodAccount.of(environment), Ticker.system())
                .server(master, settings);
    }

    /** As {@link #open(Map, MasterUrl, ClusterSettings)}. */
    FabricApiServer server(MasterUrl master, ClusterSettings settings) {
        Kubeconfig.Selection named = named(settings).orElseGet(account::selection);
        ClusterEntry cluster = cluster(named.cluster(), master, settings);
        UserEntry user = user(named.user(), settings);
        RenewedAccess access =
                new RenewedAccess(new AccessSource(cluster.certificates(), cluster.trustsAll(), user, ticker), ticker);
        HttpConnections connections = new HttpConnections(
                new ServerTarget(
                        cluster.server(),
                        cluster.serverName(),
                        ProxyChoice.of(URI.create(cluster.server()), cluster.proxy(), environment),
                        user.impersonation(),
                        settings.requestTimeout(),
                        settings.connectTimeout()),
                access);
        boolean opened = false;
        try {
            access.current().get(); // what is wrong with them is said at once
            opened = true;
        } catch (ExecutionException failure) {
            throw ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "master " + master + ": "
                            + Failures.expecting(
                                    String.valueOf(Failures.unwrap(failure).getMessage()),
                                    "credentials that can be read"),
                    failure);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw ErrorCode.CLUSTER_UNREACHABLE.failure("master " + master + ": interrupted", ended);
        } finally {
            if (!opened) {
                connections.close();
            }
        }
        String inContext = named.namespace().isEmpty() ? account.namespace() : named.namespace();
        return new FabricApiServer(
                connections, settings.namespace().orElse(inContext.isEmpty() ? "default" : inContext));
    }

    private Optional<Kubeconfig.Selection> named(ClusterSettings settings) {
        Optional<Kubeconfig> files = Kubeconfig.find(environment, home);
        if (files.isEmpty() && settings.context().isPresent()) {
            throw ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "context '" + settings.context().get()
                            + "': there is no kubeconfig file (expected: one with this context); check KUBECONFIG");
        }
        return files.flatMap(found -> found.select(settings.context()));
    }

    private static ClusterEntry cluster(ClusterEntry named, MasterUrl master, ClusterSettings settings) {
        String rest = master.rest();
        String server = named.server();
        if (!rest.isEmpty()) {
            server = rest.startsWith("http://") || rest.startsWith("https://") ? rest : "https://" + rest;
        }
        if (server.isEmpty()) {
            throw ErrorCode.CLUSTER_UNREACHABLE.failure("master " + master
                    + ": no address (expected: a kubeconfig file with a current context, or the account of a pod);"
                    + " check KUBECONFIG, or use k8s://https://HOST:PORT");
        }
        return new ClusterEntry(
                server.endsWith("/") ? server.substring(0, server.length() - 1) : server,
                settings.caFile().map(Path::of).map(TextSource::of).orElse(named.certificates()),
                settings.trustAll() || named.trustsAll(),
                named.serverName(),
                named.proxy());
    }

    private static UserEntry user(UserEntry named, ClusterSettings settings) {
        UserEntry user = settings.tokenFile()
                .map(Path::of)
                .map(TextSource::of)
                .or(() -> settings.token().map(TextSource::of))
                .map(named::withToken)
                .orElse(named);
        if (settings.certificateFile().isEmpty() && settings.keyFile().isEmpty()) {
            return user;
        }
        return user.withCertificate(
                settings.certificateFile().map(Path::of).map(TextSource::of).orElse(user.certificate()),
                settings.keyFile().map(Path::of).map(TextSource::of).orElse(user.key()));
    }

    /** Account of a pod: the address of the API server, and the directory with its token. Immutable. */
    record PodAccount(String host, String port, Path directory) {
        private static final Path DIRECTORY = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

        static PodAccount of(Map<String, String> environment) {
            return new PodAccount(
                    environment.getOrDefault("KUBERNETES_SERVICE_HOST", ""),
                    environment.getOrDefault("KUBERNETES_SERVICE_PORT", ""),
                    DIRECTORY);
        }

        /** The cluster and the user of the account; those of which nothing is known outside of pods. */
        Kubeconfig.Selection selection() {
            String address = host.contains(":") ? "[" + host + "]" : host;
            boolean isKnown = !host.isEmpty() && !port.isEmpty();
            return new Kubeconfig.Selection(
                    new ClusterEntry(isKnown ? "https://" + address + ":" + port : "", source("ca.crt"), false, "", ""),
                    UserEntry.ofToken(source("token")),
                    namespace());
        }

        /** Namespace of the pod; empty outside of pods. */
        String namespace() {
            try {
                return source("namespace").read().strip();
            } catch (IOException unreadable) {
                throw ErrorCode.CLUSTER_UNREACHABLE.failure(
                        "account of the pod: " + unreadable.getMessage(), unreadable);
            }
        }

        private TextSource source(String name) {
            Path file = directory.resolve(name);
            return Files.exists(file) ? TextSource.of(file) : TextSource.NONE;
        }
    }
}
