package dev.hearth.kubernetes.internal.pod;

import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Settings of the pods of executors, with the names that Spark has. {@code image} is never empty. {@code limitCores} and
 * {@code requestCores} are quantities of Kubernetes. Immutable.
 */
public record PodSettings(
        String image,
        PullPolicy pullPolicy,
        List<String> pullSecrets,
        Optional<String> namePrefix,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> nodeSelector,
        Map<String, String> secrets,
        Map<String, String> secretVariables,
        Optional<String> scheduler,
        Optional<String> serviceAccount,
        Optional<String> requestCores,
        Optional<String> limitCores,
        long graceSeconds,
        boolean privilegeEscalation,
        PodAdditions additions) {
    private static final String PREFIX = "hearth.kubernetes.";
    static final String CORES_RULE = "a quantity of Kubernetes such as 2, 0.5 or 500m";
    static final Pattern CORES = Pattern.compile("\\d{1,6}(\\.\\d{1,3})?|\\d{1,9}m");
    static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    /** Name after an optional prefix with a slash, as keys of labels and annotations have it. */
    private static final Pattern QUALIFIED =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    static final Pattern KEY_OF_SECRET = Pattern.compile("[a-z0-9][-a-z0-9.]*:[-._A-Za-z0-9]+");
    private static final int PREFIX_MAX = 237;

    static final SettingKey<String> IMAGE = SettingKey.text(
                    PREFIX + "container.image", "", "Image of drivers and executors, with Hearth in it.")
            .withoutDefault();
    private static final SettingKey<String> EXECUTOR_IMAGE = SettingKey.text(
                    PREFIX + "executor.container.image", "", "Image of executors.")
            .withoutDefault(IMAGE.name());
    static final SettingKey<PullPolicy> PULL_POLICY = SettingKey.choice(
            PREFIX + "container.image.pullPolicy",
            PullPolicy.class,
            PullPolicy.IfNotPresent,
            "When nodes fetch the image.");
    static final SettingKey<List<String>> PULL_SECRETS = SettingKey.list(
            PREFIX + "container.image.pullSecrets", List.of(), "Secrets with which nodes fetch the image.");
    private static final SettingKey<String> NAME_PREFIX = SettingKey.text(
                    PREFIX + "executor.podNamePrefix", "", "Prefix of the names of executor pods.")
            .obeying(
                    "at most " + PREFIX_MAX + " small letters, digits, dots and hyphens, which begin and end with a"
                            + " letter or a digit",
                    text -> text.isEmpty()
                            || (text.length() <= PREFIX_MAX
                                    && NAME.matcher(text).matches()))
            .withoutDefault("the name of the application and random digits");
    private static final SettingKey<String> LABELS = SettingKey.family(
            PREFIX + "executor.label.*",
            "Labels of executor pods. In values, `{{APP_ID}}` and `{{EXECUTOR_ID}}` stand for the ids.",
            "a key and a value of Kubernetes that Hearth does not set itself",
            (key, value) -> isKey(key) && PodLabels.isValue(value) && !PodLabels.isReserved(key));
    private static final SettingKey<String> ANNOTATIONS = SettingKey.family(
            PREFIX + "executor.annotation.*",
            "Annotations of executor pods, with the same replacements as in labels.",
            "a key of Kubernetes",
            (key, value) -> isKey(key));
    static final SettingKey<String> NODE_SELECTOR = SettingKey.family(
            PREFIX + "node.selector.*",
            "Labels of the nodes on which drivers and executors run.",
            "a key and a value of Kubernetes",
            (key, value) -> isKey(key) && LABEL_VALUE.matcher(value).matches());
    private static final SettingKey<String> EXECUTOR_NODE_SELECTOR = SettingKey.family(
            PREFIX + "executor.node.selector.*",
            "Labels of the nodes on which executors run.",
            "a key and a value of Kubernetes",
            (key, value) -> isKey(key) && LABEL_VALUE.matcher(value).matches());
    private static final SettingKey<String> SECRETS = SettingKey.family(
            PREFIX + "executor.secrets.*",
            "Directory where executors find the secret of that name.",
            "the name of a secret, and an absolute path",
            (name, path) -> NAME.matcher(name).matches() && path.startsWith("/"));
    private static final SettingKey<String> SECRET_VARIABLES = SettingKey.family(
            PREFIX + "executor.secretKeyRef.*",
            "Environment variable of executors with a value of a secret.",
            "the name of a variable, and SECRET:KEY",
            (name, reference) -> VARIABLE.matcher(name).matches()
                    && KEY_OF_SECRET.matcher(reference).matches());
    static final SettingKey<String> SCHEDULER = SettingKey.text(
                    PREFIX + "scheduler.name", "", "Scheduler of drivers and executors.")
            .withoutDefault("that of the cluster");
    private static final SettingKey<String> EXECUTOR_SCHEDULER = SettingKey.text(
                    PREFIX + "executor.scheduler.name", "", "Scheduler of executors.")
            .withoutDefault(SCHEDULER.name());
    private static final SettingKey<String> SERVICE_ACCOUNT = SettingKey.text(
                    PREFIX + "authenticate.executor.serviceAccountName",
                    "",
                    "Service account of executors. Without one, executors have no token of the API server.")
            .withoutDefault("the default account, without its token");
    private static final SettingKey<String> REQUEST_CORES = cores("request", "requested by an executor pod");
    private static final SettingKey<String> LIMIT_CORES = cores("limit", "that an executor pod may use at most");
    private static final SettingKey<Duration> GRACE = SettingKey.duration(
            PREFIX + "executor.terminationGracePeriodSeconds",
            Duration.ofSeconds(30),
            Duration.ZERO,
            "Time that an executor pod has to end.");
    static final SettingKey<Boolean> PRIVILEGE_ESCALATION = SettingKey.flag(
            PREFIX + "securityContext.allowPrivilegeEscalation",
            false,
            "Whether processes of drivers and executors may gain more privileges than their parent.");
    private static final SettingKey<Boolean> EXECUTOR_PRIVILEGE_ESCALATION = SettingKey.flag(
                    PREFIX + "executor.securityContext.allowPrivilegeEscalation",
                    false,
                    "Whether processes of executors may gain more privileges than their parent.")
            .withoutDefault("hearth.kubernetes.securityContext.allowPrivilegeEscalation");

    /** Family that is declared elsewhere. */
    private static final SettingKey<String> RESOURCES =
            ResourceRequest.family("hearth.executor.resource.*", "Resources of each executor, such as GPUs.");

    /** The declared settings. */
    public static final List<SettingKey<?>> KEYS = Stream.concat(
                    PodAdditions.KEYS.stream(),
                    Stream.of(
                            IMAGE,
                            EXECUTOR_IMAGE,
                            PULL_POLICY,
                            PULL_SECRETS,
                            NAME_PREFIX,
                            LABELS,
                            ANNOTATIONS,
                            NODE_SELECTOR,
                            EXECUTOR_NODE_SELECTOR,
                            SECRETS,
                            SECRET_VARIABLES,
                            SCHEDULER,
                            EXECUTOR_SCHEDULER,
                            SERVICE_ACCOUNT,
                            REQUEST_CORES,
                            LIMIT_CORES,
                            GRACE,
                            PRIVILEGE_ESCALATION,
                            EXECUTOR_PRIVILEGE_ESCALATION))
            .toList();

    /** When a node fetches an image; the names are those of Kubernetes. */
    public enum PullPolicy {
        Always,
        IfNotPresent,
        Never
    }

    public PodSettings {
        pullSecrets = List.copyOf(pullSecrets);
    }

    /** Reads the settings of executor pods; fails with {@code BAD_SETTING}. */
    public static PodSettings ofExecutors(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        PodSettings read = read(in);
        in.finish();
        return read;
    }

    /** As {@link #ofExecutors}; {@code in} records the problems. */
    public static PodSettings read(SettingsReader in) {
        Optional<String> image = given(in, EXECUTOR_IMAGE).or(() -> given(in, IMAGE));
        in.expect(image.isPresent(), IMAGE, "the image of executors, such as registry/hearth:1");
        Optional<String> request = given(in, REQUEST_CORES);
        Optional<String> limit = given(in, LIMIT_CORES);
        if (request.isPresent() && limit.isPresent()) {
            in.expect(
                    millis(request.get()).compareTo(millis(limit.get())) <= 0,
                    REQUEST_CORES,
                    "at most " + LIMIT_CORES + " = " + limit.get());
        }
        Devices.check(ResourceRequest.ofExecutors(in), RESOURCES, in);
        Map<String, String> nodes = in.readAll(NODE_SELECTOR);
        nodes.putAll(in.readAll(EXECUTOR_NODE_SELECTOR));
        return new PodSettings(
                image.orElse(""),
                in.read(PULL_POLICY),
                in.read(PULL_SECRETS),
                given(in, NAME_PREFIX),
                in.readAll(LABELS),
                in.readAll(ANNOTATIONS),
                nodes,
                in.readAll(SECRETS),
                in.readAll(SECRET_VARIABLES),
                given(in, EXECUTOR_SCHEDULER).or(() -> given(in, SCHEDULER)),
                given(in, SERVICE_ACCOUNT),
                request,
                limit,
                in.read(GRACE).toSeconds(),
                in.find(EXECUTOR_PRIVILEGE_ESCALATION).orElseGet(() -> in.read(PRIVILEGE_ESCALATION)),
                PodAdditions.ofExecutors(in));
    }

    /** Requested cores of an executor of {@code profile}, as a quantity of Kubernetes. */
    String coresOf(ExecutorProfile profile) {
        return requestCores.orElseGet(() -> String.valueOf(profile.cores().orElse(1)));
    }

    static Optional<String> given(SettingsReader in, SettingKey<String> key) {
        return in.find(key).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static SettingKey<String> cores(String kind, String words) {
        return SettingKey.text(PREFIX + "executor." + kind + ".cores", "", "Cores " + words + ".")
                .obeying(
                        CORES_RULE,
                        text -> text.isEmpty() || CORES.matcher(text).matches())
                .withoutDefault(kind.equals("request") ? "hearth.executor.cores" : "no limit");
    }

    static BigDecimal millis(String quantity) {
        if (!CORES.matcher(quantity).matches()) {
            return BigDecimal.ZERO; // reported by the setting itself
        }
        return quantity.endsWith("m")
                ? new BigDecimal(quantity.substring(0, quantity.length() - 1))
                : new BigDecimal(quantity).multiply(BigDecimal.valueOf(1000));
    }

    static boolean isKey(String text) {
        return QUALIFIED.matcher(text).matches();
    }
}
