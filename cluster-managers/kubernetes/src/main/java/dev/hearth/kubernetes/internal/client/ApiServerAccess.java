package dev.hearth.kubernetes.internal.client;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Connections to the API server that a master URL and settings name. Stateless. */
public final class ApiServerAccess {
    private static final Pattern ADDRESS =
            Pattern.compile("(https?://)?([^/\\s:\\[\\]]+|\\[[0-9a-fA-F:]+\\])(:\\d{1,5})?(/\\S*)?");

    private ApiServerAccess() {}

    /** Whether {@code master} is {@code k8s}, {@code k8s://host:port} or {@code k8s://https://host:port}. */
    public static boolean isWellFormed(MasterUrl master) {
        return master.text().equals("k8s")
                || (master.text().startsWith("k8s://")
                        && ADDRESS.matcher(master.rest()).matches());
    }

    /**
     * Opens the client of the API server {@code master}. Blocks: it reads files, and may run the program that a kubeconfig
     * file names. Fails with {@code CLUSTER_UNREACHABLE} if there is no configuration.
     */
    public static ApiServer open(MasterUrl master, ClusterSettings settings) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(Config.class.getClassLoader()); // the library looks for its classes there
        try {
            Config config = config(master, settings);
            // without KubernetesClient, whose implementation loads a thousand classes of models (ADR 0059)
            HttpClient http = new JdkHttpClientFactory().newBuilder(config).build();
            String namespace = config.getNamespace() == null ? "default" : config.getNamespace();
            return new FabricApiServer(http, config.getMasterUrl(), namespace);
        } catch (KubernetesClientException failure) {
            throw ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "master " + master + ": " + failure.getMessage()
                            + " (expected: a kubeconfig file with this cluster,"
                            + " or hearth.kubernetes.authenticate.*); check KUBECONFIG",
                    failure);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Config config(MasterUrl master, ClusterSettings settings) {
        ConfigBuilder builder =
                new ConfigBuilder(Config.autoConfigure(settings.context().orElse(null)));
        if (!master.rest().isEmpty()) {
            String rest = master.rest();
            builder.withMasterUrl(rest.startsWith("http") && rest.contains("://") ? rest : "https://" + rest);
        }
        settings.namespace().ifPresent(builder::withNamespace);
        settings.caFile().ifPresent(builder::withCaCertFile);
        settings.keyFile().ifPresent(builder::withClientKeyFile);
        settings.certificateFile().ifPresent(builder::withClientCertFile);
        settings.token().ifPresent(builder::withOauthToken);
        settings.tokenFile().map(Path::of).ifPresent(file -> builder.withOauthTokenProvider(() -> token(file)));
        return builder.withTrustCerts(settings.trustAll())
                .withRequestTimeout((int) settings.requestTimeout().toMillis())
                .withConnectionTimeout((int) settings.connectTimeout().toMillis())
                .withRequestRetryBackoffLimit(0) // a request that is repeated unseen could create a pod twice
                .withHttp2Disable(true)
                .build();
    }

    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "token file " + file + ": cannot be read, " + unreadable + " (expected: a file with a token)",
                    unreadable);
        }
    }
}
