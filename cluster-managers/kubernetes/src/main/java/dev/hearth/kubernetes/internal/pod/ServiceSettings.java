package dev.hearth.kubernetes.internal.pod;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Map;

/** Settings of the headless service that gives a driver on the cluster a name. Immutable. */
public record ServiceSettings(
        boolean exists,
        Map<String, String> labels,
        Map<String, String> annotations,
        IpFamilyPolicy familyPolicy,
        List<String> families,
        boolean publishesNotReady) {
    private static final String PREFIX = "hearth.kubernetes.driver.service";

    /** Whether there is a service; the names are values of a setting. */
    enum Kind {
        headless,
        none
    }

    /** Which families of addresses the service has; the names are those of Kubernetes. */
    public enum IpFamilyPolicy {
        SingleStack,
        PreferDualStack,
        RequireDualStack
    }

    private static final SettingKey<Kind> KIND = SettingKey.choice(
            PREFIX, Kind.class, Kind.headless, "Whether a driver on the cluster gets a headless service.");
    private static final SettingKey<String> LABELS = SettingKey.family(
            PREFIX + ".label.*",
            "Labels of the driver's service.",
            "a key and a value of Kubernetes that Hearth does not set itself",
            (key, value) -> PodSettings.isKey(key)
                    && PodSettings.LABEL_VALUE.matcher(value).matches()
                    && !PodLabels.isReserved(key));
    private static final SettingKey<String> ANNOTATIONS = SettingKey.family(
            PREFIX + ".annotation.*",
            "Annotations of the driver's service.",
            "a key of Kubernetes",
            (key, value) -> PodSettings.isKey(key));
    private static final SettingKey<IpFamilyPolicy> FAMILY_POLICY = SettingKey.choice(
            PREFIX + ".ipFamilyPolicy",
            IpFamilyPolicy.class,
            IpFamilyPolicy.SingleStack,
            "Families of addresses of the driver's service.");
    private static final SettingKey<List<String>> FAMILIES = SettingKey.list(
                    PREFIX + ".ipFamilies", List.of("IPv4"), "Families of addresses of the driver's service, in order.")
            .obeying(
                    "IPv4, IPv6 or both",
                    list -> !list.isEmpty() && List.of("IPv4", "IPv6").containsAll(list));
    private static final SettingKey<Boolean> NOT_READY = SettingKey.flag(
            PREFIX + ".publishNotReadyAddresses",
            true,
            "Whether the driver's service names the driver before its pod is ready.");

    static final List<SettingKey<?>> KEYS = List.of(KIND, LABELS, ANNOTATIONS, FAMILY_POLICY, FAMILIES, NOT_READY);

    public ServiceSettings {
        families = List.copyOf(families);
    }

    static ServiceSettings read(SettingsReader in) {
        return new ServiceSettings(
                in.read(KIND) == Kind.headless && !FeatureSteps.excludesService(in),
                in.readAll(LABELS),
                in.readAll(ANNOTATIONS),
                in.read(FAMILY_POLICY),
                in.read(FAMILIES),
                in.read(NOT_READY));
    }
}
