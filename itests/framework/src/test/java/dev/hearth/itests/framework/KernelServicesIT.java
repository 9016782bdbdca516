package dev.hearth.itests.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/** Checks that the shipped bundles register their declared services in a real framework. */
@ExtendWith(PaxExamJupiter.class)
public class KernelServicesIT {
    private static final long CONNECT_SECONDS_MAX = 20;

    @Inject
    private RpcEnvFactory envs;

    @Inject
    private BundleContext context;

    @Configuration
    public Option[] bundles() {
        return ClassPathBundles.platformWith("hearth-local", "hearth-standalone");
    }

    @Test
    public void servesHttpHandlersWhileTheyAreServices() throws Exception {
        RpcEnv env = envs.open(RpcSettings.listening(Settings.empty(), "127.0.0.1", 0));
        try {
            HttpHandler handler = request -> CompletableFuture.completedStage(HttpAnswer.text(200, "hello"));
            URI hello = URI.create("http://" + env.address().orElseThrow() + "/hello");
            Dictionary<String, Object> properties = FrameworkUtil.asDictionary(Map.of(HttpHandler.PREFIX, "/hello"));
            assertEquals(404, status(hello));
            ServiceRegistration<HttpHandler> registration =
                    context.registerService(HttpHandler.class, handler, properties);
            assertEquals(200, status(hello));
            registration.unregister();
            assertEquals(404, status(hello));
        } finally {
            env.close();
        }
    }

    private static int status(URI uri) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(CONNECT_SECONDS_MAX))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    public void startsEveryBundle() {
        List<String> idle = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            boolean fragment = bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
            if (!fragment && bundle.getState() != Bundle.ACTIVE) {
                idle.add(bundle.getSymbolicName());
            }
        }
        assertEquals(List.of(), idle);
        assertNotEquals(context.getBundle(0), FrameworkUtil.getBundle(KernelServicesIT.class));
    }

    @Test
    public void connectsTwoEnvsOfTheFactoryService() throws Exception {
        try (RpcEnv listening = envs.open(RpcSettings.listening(Settings.empty(), "127.0.0.1", 0));
                RpcEnv connecting = envs.open(RpcSettings.connecting(Settings.empty()))) {
            Peer peer = connecting
                    .connect(listening.address().orElseThrow())
                    .toCompletableFuture()
                    .get(CONNECT_SECONDS_MAX, TimeUnit.SECONDS);
            assertTrue(peer.remote().startsWith("127.0.0.1:"), peer.remote());
        }
    }

    @Test
    public void offersClusterManagersByScheme() throws Exception {
        ApplicationLoaders loaders = (application, jars) -> {
            throw new AssertionError(application + " is to run (expected: no application)");
        };
        ServiceRegistration<ApplicationLoaders> kernel =
                context.registerService(ApplicationLoaders.class, loaders, null);
        try {
            assertEquals("hearth-local", validatedBy("local[2]"));
            assertEquals("hearth-standalone", validatedBy("hearth://127.0.0.1:7077"));
            assertEquals("", validatedBy("nobody://host"));
        } finally {
            kernel.unregister();
        }
    }

    /** The bundles whose cluster managers accept {@code url}. */
    private String validatedBy(String url) throws InvalidSyntaxException {
        MasterUrl master = MasterUrl.parse(url);
        List<String> bundles = new ArrayList<>();
        for (ServiceReference<ClusterManager> reference : context.getServiceReferences(
                ClusterManager.class, "(" + ClusterManager.SCHEME + "=" + master.scheme() + ")")) {
            context.getService(reference).validate(master);
            bundles.add(reference.getBundle().getSymbolicName());
        }
        return String.join(",", bundles);
    }
}
