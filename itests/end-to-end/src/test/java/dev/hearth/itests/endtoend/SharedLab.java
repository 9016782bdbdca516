package dev.hearth.itests.endtoend;

import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Provider of the laboratory to test classes. Classes that want the same servers share them, and the last ones are stopped
 * at the end of the run: a start takes 10 s.
 */
final class SharedLab implements BeforeAllCallback {
    private final boolean node;
    private final Map<String, String> environment;

    private SharedLab(boolean node, Map<String, String> environment) {
        this.node = node;
        this.environment = environment;
    }

    /** A cluster with a node that has the image of the distribution. */
    static SharedLab withNode() {
        return new SharedLab(true, Map.of());
    }

    /** The servers of a cluster without any node; {@code environment} is that of real-k8s.sh, such as arguments of servers. */
    static SharedLab withoutNode(Map<String, String> environment) {
        return new SharedLab(false, Map.copyOf(environment));
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        if (Running.lab == null || Running.node != node || !Running.environment.equals(environment)) {
            Running.stop();
            context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(SharedLab.class))
                    .getOrComputeIfAbsent("servers", key -> (AutoCloseable) Running::stop);
            Running.lab = node ? KubernetesLab.start() : KubernetesLab.startWithoutNode(environment);
            Running.node = node;
            Running.environment = environment;
        }
    }

    /** The laboratory of the test class that runs. */
    KubernetesLab lab() {
        return Running.lab;
    }

    /** The servers that are up in this process. Test classes run one after the other. */
    private static final class Running {
        private static KubernetesLab lab;
        private static boolean node;
        private static Map<String, String> environment = Map.of();

        private Running() {}

        private static void stop() throws Exception {
            KubernetesLab up = lab;
            lab = null;
            if (up != null) {
                up.stop();
            }
        }
    }
}
