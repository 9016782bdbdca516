package dev.hearth.kubernetes.internal.manager;

import dev.hearth.kubernetes.internal.executors.PodRules;
import dev.hearth.kubernetes.internal.mirror.MirrorSettings;
import dev.hearth.kubernetes.internal.pod.PodLabels;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of {@link PodRules}, with the names that Spark has for most of them. Pure. */
final class PodRuleSettings {
    private static final String PREFIX = KubernetesSettings.PREFIX;
    private static final int BATCH_SIZE_OF_SPARK = 20;
    private static final Duration BATCH_DELAY_OF_SPARK = Duration.ofSeconds(1);
    private static final int KEPT_FAILED_MAX = 100;

    private static final SettingKey<Integer> BATCH_SIZE = SettingKey.integer(
                    PREFIX + "allocation.batch.size",
                    BATCH_SIZE_OF_SPARK,
                    1,
                    Integer.MAX_VALUE,
                    "Number of executor pods that are requested within hearth.kubernetes.allocation.batch.delay at most."
                            + " Hearth needs no batches: set it for clusters that must not get more.")
            .withoutDefault("no bound, or " + BATCH_SIZE_OF_SPARK + " if the delay is set");
    private static final SettingKey<Duration> BATCH_DELAY = SettingKey.duration(
                    PREFIX + "allocation.batch.delay",
                    BATCH_DELAY_OF_SPARK,
                    Duration.ofMillis(1),
                    "Time within which hearth.kubernetes.allocation.batch.size pods are requested at most.")
            .withoutDefault("no bound, or 1s if the size is set");
    private static final SettingKey<Allocator> ALLOCATOR = SettingKey.choice(
            PREFIX + "allocation.pods.allocator",
            Allocator.class,
            Allocator.direct,
            "How executor pods are made: directly. Spark's stateful sets and deployments choose the pods to end"
                    + " themselves, so that running executors would be lost.");
    private static final SettingKey<Boolean> ALL_CONTAINERS = SettingKey.flag(
            PREFIX + "executor.checkAllContainers",
            false,
            "Whether an executor ends when any container of its pod fails, as in Spark; otherwise when its own ends.");
    private static final SettingKey<Integer> KEEP_FAILED = SettingKey.integer(
            PREFIX + "executor.keepFailed",
            0,
            0,
            KEPT_FAILED_MAX,
            "Number of pods of failed executors that stay until the application ends, the latest ones, so that a user can"
                    + " look at them. They get the label spark-exec-inactive=true.");
    private static final SettingKey<String> LEAVING_LABEL = SettingKey.text(
                    PREFIX + "executor.decommissionLabel",
                    "",
                    "Label that the pod of an executor gets when the driver decommissions it. Needs the right to patch"
                            + " pods.")
            .obeying(
                    "the key of a label that Hearth does not set itself",
                    text -> text.isEmpty() || PodLabels.isFree(text))
            .withoutDefault("none");
    private static final SettingKey<String> LEAVING_VALUE = SettingKey.text(
                    PREFIX + "executor.decommissionLabelValue",
                    "",
                    "Value of the label hearth.kubernetes.executor.decommissionLabel.")
            .obeying("the value of a label", PodLabels::isValue)
            .withoutDefault("empty");
    private static final SettingKey<Following> FOLLOWING = SettingKey.choice(
            PREFIX + "mirror",
            Following.class,
            Following.watch,
            "How the driver learns about pods: by a watch, or by lists every hearth.kubernetes.executor.apiPollingInterval.");
    private static final SettingKey<Boolean> WATCHER = SettingKey.flag(
            PREFIX + "executor.enableApiWatcher",
            true,
            "Spark's setting for hearth.kubernetes.mirror: false is the same as poll there.");
    private static final SettingKey<Boolean> POLLING = SettingKey.flag(
            PREFIX + "executor.enableApiPolling",
            true,
            "Whether pods are listed at intervals if the API server forbids to watch them.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            PREFIX + "executor.apiPollingInterval",
            MirrorSettings.DEFAULTS.interval(),
            Duration.ofSeconds(1),
            "Time between two lists of pods, where pods are not watched.");

    /** The declared settings. */
    static final List<SettingKey<?>> KEYS = List.of(
            BATCH_SIZE,
            BATCH_DELAY,
            ALLOCATOR,
            ALL_CONTAINERS,
            KEEP_FAILED,
            LEAVING_LABEL,
            LEAVING_VALUE,
            FOLLOWING,
            WATCHER,
            POLLING,
            INTERVAL);

    private PodRuleSettings() {}

    /** How pods are made; the only value is that of Spark. */
    enum Allocator {
        direct
    }

    /** How the driver learns about pods; the names are values of a setting. */
    enum Following {
        watch,
        poll
    }

    /** Reads the rules; {@code in} records the problems. */
    static PodRules read(SettingsReader in) {
        in.read(ALLOCATOR); // other values are refused
        Optional<Integer> size = in.find(BATCH_SIZE);
        Optional<Duration> delay = in.find(BATCH_DELAY);
        Optional<PodRules.Ceiling> ceiling = size.isEmpty() && delay.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new PodRules.Ceiling(size.orElse(BATCH_SIZE_OF_SPARK), delay.orElse(BATCH_DELAY_OF_SPARK)));
        Optional<String> label = in.find(LEAVING_LABEL).filter(text -> !text.isEmpty());
        Optional<String> value = in.find(LEAVING_VALUE);
        in.expect(label.isPresent() || value.isEmpty(), LEAVING_VALUE, "not set without " + LEAVING_LABEL);
        return new PodRules(
                ceiling,
                in.read(ALL_CONTAINERS),
                in.read(KEEP_FAILED),
                label.map(key -> Map.of(key, value.orElse(""))).orElse(Map.of()),
                mirror(in));
    }

    private static MirrorSettings mirror(SettingsReader in) {
        boolean watches = in.read(WATCHER);
        boolean mayPoll = in.read(POLLING);
        boolean polls = in.read(FOLLOWING) == Following.poll || !watches;
        in.expect(!polls || mayPoll, POLLING, "true if pods are not watched");
        return new MirrorSettings(polls, mayPoll, in.read(INTERVAL));
    }
}
