package dev.hearth.kubernetes.internal.pod;

import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the pod of a driver that runs on the cluster, with the names that Spark has. {@code image} is never empty;
 * {@code requestCores} and {@code limitCores} are quantities of Kubernetes, {@code devices} numbers by the name of a
 * resource of Kubernetes. Immutable.
 */
public record DriverPodSettings(
        String image,
        PodSettings.PullPolicy pullPolicy,
        List<String> pullSecrets,
        Optional<String> podName,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> nodeSelector,
        Map<String, String> secrets,
        Map<String, String> secretVariables,
        Map<String, String> variables,
        Optional<String> scheduler,
        Optional<String> serviceAccount,
        String requestCores,
        Optional<String> limitCores,
        int cores,
        Map<String, Integer> devices,
        ContainerSize memory,
        LaunchOptions options,
        boolean privilegeEscalation,
        boolean supervise,
        ServiceSettings service,
        boolean networkPolicy,
        PodAdditions additions,
        ClaimSettings claims) {
    private static final String PREFIX = "hearth.kubernetes.";
    private static final String DRIVER = PREFIX + "driver.";

    private static final SettingKey<String> DRIVER_IMAGE = SettingKey.text(
                    DRIVER + "container.image", "", "Image of drivers that run on the cluster.")
            .withoutDefault(PodSettings.IMAGE.name());

    /** Name of the pod of the driver. */
    public static final SettingKey<String> POD_NAME = SettingKey.text(
                    DRIVER + "pod.name",
                    "",
                    "Name of the driver's pod: of the pod to create in cluster mode, of the pod in which the driver runs"
                            + " in client mode. That pod owns the pods of executors.")
            .obeying(
                    "the name of a pod", text -> text.isEmpty() || text.matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?"))
            .withoutDefault("in cluster mode the application's name and random digits; in client mode a secret owns the"
                    + " pods of executors");

    private static final SettingKey<String> LABELS = SettingKey.family(
            DRIVER + "label.*",
            "Labels of the driver's pod. In values, `{{APP_ID}}` stands for the id of the application.",
            "a key and a value of Kubernetes that Hearth does not set itself",
            (key, value) -> PodSettings.isKey(key)
                    && PodLabels.isValue(value)
                    && !value.contains(PodLabels.EXECUTOR_ID)
                    && !PodLabels.isReserved(key));
    private static final SettingKey<String> ANNOTATIONS = SettingKey.family(
            DRIVER + "annotation.*",
            "Annotations of the driver's pod, with the same replacement as in labels.",
            "a key of Kubernetes",
            (key, value) -> PodSettings.isKey(key));
    private static final SettingKey<String> NODE_SELECTOR = SettingKey.family(
            DRIVER + "node.selector.*",
            "Labels of the nodes on which drivers run.",
            "a key and a value of Kubernetes",
            (key, value) -> PodSettings.isKey(key)
                    && PodSettings.LABEL_VALUE.matcher(value).matches());
    private static final SettingKey<String> SECRETS = SettingKey.family(
            DRIVER + "secrets.*",
            "Directory where the driver finds the secret of that name.",
            "the name of a secret, and an absolute path",
            (name, path) -> PodSettings.NAME.matcher(name).matches() && path.startsWith("/"));
    private static final SettingKey<String> SECRET_VARIABLES = SettingKey.family(
            DRIVER + "secretKeyRef.*",
            "Environment variable of the driver with a value of a secret.",
            "the name of a variable, and SECRET:KEY",
            (name, reference) -> PodSettings.VARIABLE.matcher(name).matches()
                    && PodSettings.KEY_OF_SECRET.matcher(reference).matches());
    private static final SettingKey<String> VARIABLES = SettingKey.family(
            PREFIX + "driverEnv.*",
            "The environment variable, of a driver that runs on the cluster, that the rest of the key names.",
            "the name of a variable that does not begin with HEARTH_",
            (name, value) -> PodSettings.VARIABLE.matcher(name).matches() && !name.startsWith("HEARTH_"));
    private static final SettingKey<String> DRIVER_SCHEDULER = SettingKey.text(
                    DRIVER + "scheduler.name", "", "Scheduler of drivers.")
            .withoutDefault(PodSettings.SCHEDULER.name());
    private static final SettingKey<String> SERVICE_ACCOUNT = SettingKey.text(
                    PREFIX + "authenticate.driver.serviceAccountName",
                    "",
                    "Service account of a driver that runs on the cluster; it creates the pods of executors.")
            .withoutDefault("the default account of the namespace");
    private static final SettingKey<String> REQUEST_CORES = cores("request", "requested by the driver's pod");
    private static final SettingKey<String> LIMIT_CORES = cores("limit", "that the driver's pod may use at most");
    private static final SettingKey<Boolean> PRIVILEGE_ESCALATION = SettingKey.flag(
                    DRIVER + "securityContext.allowPrivilegeEscalation",
                    false,
                    "Whether processes of drivers on the cluster may gain more privileges than their parent.")
            .withoutDefault("hearth.kubernetes.securityContext.allowPrivilegeEscalation");
    private static final SettingKey<Boolean> NETWORK_POLICY = SettingKey.flag(
            PREFIX + "networkPolicy",
            true,
            "Whether a network policy admits connections to executors from the same application alone.");

    /** The declared settings. */
    public static final List<SettingKey<?>> KEYS = keys();

    public DriverPodSettings {
        pullSecrets = List.copyOf(pullSecrets);
        devices = Collections.unmodifiableMap(new LinkedHashMap<>(devices));
    }

    /** Reads the settings of a driver's pod; {@code in} records the problems. */
    public static DriverPodSettings read(SettingsReader in) {
        Optional<String> image = PodSettings.given(in, DRIVER_IMAGE).or(() -> PodSettings.given(in, PodSettings.IMAGE));
        in.expect(image.isPresent(), PodSettings.IMAGE, "the image of the driver, such as registry/hearth:1");
        int cores = in.read(ApplicationSettings.DRIVER_CORES);
        String request = PodSettings.given(in, REQUEST_CORES).orElse(String.valueOf(cores));
        Optional<String> limit = PodSettings.given(in, LIMIT_CORES);
        BigDecimal most = limit.map(PodSettings::millis).orElse(PodSettings.millis(request));
        in.expect(
                PodSettings.millis(request).compareTo(most) <= 0,
                LIMIT_CORES,
                "at least the requested cores, " + request);
        Map<String, ResourceRequest> devices = ResourceRequest.ofDriver(in);
        Devices.check(devices, DRIVER_RESOURCES, in);
        Map<String, String> nodes = in.readAll(PodSettings.NODE_SELECTOR);
        nodes.putAll(in.readAll(NODE_SELECTOR));
        return new DriverPodSettings(
                image.orElse(""),
                in.read(PodSettings.PULL_POLICY),
                in.read(PodSettings.PULL_SECRETS),
                PodSettings.given(in, POD_NAME),
                in.readAll(LABELS),
                in.readAll(ANNOTATIONS),
                nodes,
                in.readAll(SECRETS),
                in.readAll(SECRET_VARIABLES),
                in.readAll(VARIABLES),
                PodSettings.given(in, DRIVER_SCHEDULER).or(() -> PodSettings.given(in, PodSettings.SCHEDULER)),
                PodSettings.given(in, SERVICE_ACCOUNT),
                request,
                limit,
                cores,
                Devices.of(devices),
                ContainerSize.ofDriver(in),
                LaunchOptions.ofDriver(in),
                in.find(PRIVILEGE_ESCALATION).orElseGet(() -> in.read(PodSettings.PRIVILEGE_ESCALATION)),
                in.read(ApplicationSettings.DRIVER_SUPERVISE),
                ServiceSettings.read(in),
                in.read(NETWORK_POLICY) && !FeatureSteps.excludesNetworkPolicy(in),
                PodAdditions.ofDriver(in),
                ClaimSettings.read(in, true));
    }

    private static final SettingKey<String> DRIVER_RESOURCES = ResourceRequest.family(
            "hearth.driver.resource.*", "Resources of a driver that runs on the cluster, such as GPUs.");

    private static SettingKey<String> cores(String kind, String words) {
        return SettingKey.text(DRIVER + kind + ".cores", "", "Cores " + words + ".")
                .obeying(
                        PodSettings.CORES_RULE,
                        text -> text.isEmpty()
                                || PodSettings.CORES.matcher(text).matches())
                .withoutDefault(kind.equals("request") ? "hearth.driver.cores" : "no limit");
    }

    private static List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>(List.of(
                DRIVER_IMAGE,
                POD_NAME,
                LABELS,
                ANNOTATIONS,
                NODE_SELECTOR,
                SECRETS,
                SECRET_VARIABLES,
                VARIABLES,
                DRIVER_SCHEDULER,
                SERVICE_ACCOUNT,
                REQUEST_CORES,
                LIMIT_CORES,
                PRIVILEGE_ESCALATION,
                FeatureSteps.EXCLUDED,
                NETWORK_POLICY));
        keys.addAll(ServiceSettings.KEYS);
        return List.copyOf(keys);
    }
}
