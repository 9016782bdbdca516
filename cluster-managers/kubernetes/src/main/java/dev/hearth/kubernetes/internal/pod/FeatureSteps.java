package dev.hearth.kubernetes.internal.pod;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/** Steps by which Spark makes a driver's pod and that users leave out, as far as Hearth has the same parts. Pure. */
final class FeatureSteps {
    private static final String SERVICE = "DriverServiceFeatureStep";
    private static final String NETWORK_POLICY = "NetworkPolicyFeatureStep";

    /** Names of classes of Spark. */
    static final SettingKey<List<String>> EXCLUDED = SettingKey.list(
                    "hearth.kubernetes.driver.pod.excludedFeatureSteps",
                    List.of(),
                    "Steps of Spark to leave out for drivers: " + SERVICE
                            + " is hearth.kubernetes.driver.service=none, " + NETWORK_POLICY
                            + " is hearth.kubernetes.networkPolicy=false.")
            .obeying(
                    SERVICE + " and " + NETWORK_POLICY + ", the steps whose parts Hearth has, too",
                    names -> names.stream()
                            .map(FeatureSteps::simple)
                            .allMatch(List.of(SERVICE, NETWORK_POLICY)::contains));

    private FeatureSteps() {}

    static boolean excludesService(SettingsReader in) {
        return excludes(SERVICE, in);
    }

    static boolean excludesNetworkPolicy(SettingsReader in) {
        return excludes(NETWORK_POLICY, in);
    }

    private static boolean excludes(String step, SettingsReader in) {
        return in.read(EXCLUDED).stream().map(FeatureSteps::simple).anyMatch(step::equals);
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
