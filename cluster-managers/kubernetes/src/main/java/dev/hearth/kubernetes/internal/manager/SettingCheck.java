package dev.hearth.kubernetes.internal.manager;

import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.pod.PodSettings;
import dev.hearth.kubernetes.internal.submission.ClusterModeCheck;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks of the settings of an application before it starts. A setting without effect is refused. Pure. */
final class SettingCheck {
    private static final String HOST = "hearth.driver.host";
    private static final String USES_POD_ADDRESS = "hearth.kubernetes.executor.useDriverPodIP";
    private static final String AUTHENTICATE = "hearth.authenticate";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");

    private SettingCheck() {}

    /** Fails with {@code BAD_SETTING}, naming each problem. {@code inPod} says whether this process runs in a pod. */
    static void check(Settings given, boolean inPod, DeployMode mode) {
        List<String> problems = new ArrayList<>();
        FormerSettings.check(given, problems);
        Settings settings = FormerSettings.resolved(given);
        if (mode == DeployMode.CLUSTER) {
            problems.addAll(ClusterModeCheck.problems(settings));
        }
        for (String key : settings.keys()) {
            if (key.startsWith(KubernetesSettings.PREFIX) && !isDeclared(key)) {
                problems.add(key + ": is not supported (expected: one of the settings in docs/configuration.md); "
                        + RefusedSettings.advice(key.substring(KubernetesSettings.PREFIX.length()))
                                .orElse("remove it"));
            }
        }
        if (mode == DeployMode.CLIENT
                && settings.find(USES_POD_ADDRESS).filter("false"::equals).isPresent()) {
            problems.add(USES_POD_ADDRESS + ": false in client mode (expected: not set); set " + HOST
                    + " to a name that pods can connect to");
        }
        String host = settings.find(HOST).orElse("");
        if (mode == DeployMode.CLIENT && isUnreachable(host, inPod)) {
            problems.add(HOST + ": " + (host.isEmpty() ? "not set" : host)
                    + " (expected: an address of this machine that pods can connect to)");
        }
        if (settings.find(AUTHENTICATE)
                .filter(text -> text.equalsIgnoreCase("false"))
                .isPresent()) {
            problems.add(AUTHENTICATE + ": false is not supported on Kubernetes (expected: true, the default there)");
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(String.join("\n", problems));
        }
        SettingsReader in = new SettingsReader(settings);
        PodSettings.read(in);
        ClusterSettings.read(in);
        KubernetesSettings.allocation(in);
        in.find(KubernetesSettings.DRIVER_POD);
        if (mode == DeployMode.CLUSTER) {
            ClusterModeCheck.read(in);
        }
        in.finish();
    }

    private static boolean isUnreachable(String host, boolean inPod) {
        return LOOPBACK.contains(host) || (host.isEmpty() && !inPod);
    }

    private static boolean isDeclared(String key) {
        return new KubernetesSettings()
                .keys().stream()
                        .map(SettingKey::name)
                        .anyMatch(name -> name.endsWith(SettingKey.FAMILY)
                                ? key.startsWith(name.substring(0, name.length() - 1))
                                : name.equals(key));
    }
}
