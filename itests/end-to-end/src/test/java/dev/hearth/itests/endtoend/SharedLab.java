package dev.hearth.itests.endtoend;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Provider of the laboratory that {@link LabServers} describes to test classes. Classes that want the same servers share
 * them, and the last ones are stopped at the end of the run: a start takes 10 s.
 */
final class SharedLab implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Optional<LabServers> wanted =
                Optional.ofNullable(context.getRequiredTestClass().getAnnotation(LabServers.class));
        boolean node = wanted.map(LabServers::node).orElse(true);
        Map<String, String> environment = wanted.map(SharedLab::environment).orElse(Map.of());
        if (Running.lab == null || Running.node != node || !Running.environment.equals(environment)) {
            Running.stop();
            context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(SharedLab.class))
                    .getOrComputeIfAbsent("servers", key -> (AutoCloseable) Running::stop);
            Running.lab = node ? KubernetesLab.start(environment) : KubernetesLab.startWithoutNode(environment);
            Running.node = node;
            Running.environment = environment;
        }
    }

    private static Map<String, String> environment(LabServers wanted) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("K8S_APISERVER_ARGS", wanted.apiServer());
        environment.put("K8S_KCM_ARGS", wanted.controllers());
        environment.put("K8S_KUBELET_ARGS", wanted.kubelet());
        environment.values().removeIf(String::isEmpty);
        return environment;
    }

    /** The laboratory of the test class that runs. */
    static KubernetesLab lab() {
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
