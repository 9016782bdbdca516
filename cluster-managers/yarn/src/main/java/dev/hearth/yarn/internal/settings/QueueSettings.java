package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Place of an application at the ResourceManager: its queue, its type, and the number of its attempts. Immutable. */
public record QueueSettings(
        String queue,
        List<String> tags,
        OptionalInt priority,
        String type,
        OptionalInt attemptsMax,
        Optional<Duration> attemptsValid,
        String nodeLabel,
        Optional<String> rolledInclude,
        Optional<String> rolledExclude,
        Optional<String> tokenConf,
        Optional<Duration> lifetime) {
    private static final int TYPE_LENGTH_MAX = 20;

    public static final SettingKey<String> QUEUE =
            SettingKey.text(YarnKeys.PREFIX + "queue", "default", "Queue of the scheduler; flag --queue.");
    public static final SettingKey<List<String>> TAGS =
            YarnKeys.list("tags", "Tags of the application, by which YARN finds it.");
    private static final SettingKey<Integer> PRIORITY = SettingKey.integer(
                    YarnKeys.PREFIX + "priority",
                    0,
                    0,
                    Integer.MAX_VALUE,
                    "Priority of the application in its queue; a greater number comes first.")
            .withoutDefault("that of the cluster");
    public static final SettingKey<String> TYPE = SettingKey.text(
                    YarnKeys.PREFIX + "applicationType", "HEARTH", "Type of the application on the pages of YARN.")
            .obeying(
                    "1 to " + TYPE_LENGTH_MAX + " characters",
                    text -> !text.isBlank() && text.length() <= TYPE_LENGTH_MAX);
    private static final SettingKey<Integer> ATTEMPTS = SettingKey.integer(
                    YarnKeys.PREFIX + "maxAppAttempts",
                    2,
                    1,
                    Integer.MAX_VALUE,
                    "Number of attempts of the application, at most; no more than the cluster allows.")
            .withoutDefault("yarn.resourcemanager.am.max-attempts of the cluster");
    private static final SettingKey<Duration> ATTEMPTS_VALID = SettingKey.duration(
                    YarnKeys.PREFIX + "am.attemptFailuresValidityInterval",
                    Duration.ofHours(1),
                    Duration.ofSeconds(1),
                    "How long a failed attempt counts towards hearth.yarn.maxAppAttempts.")
            .withoutDefault("as long as the application runs");
    private static final SettingKey<String> NODE_LABEL = YarnKeys.text(
            "am.nodeLabelExpression", "Node label of the container with the driver or with the application master.");
    private static final SettingKey<String> INCLUDE = YarnKeys.text(
            "rolledLog.includePattern",
            "Regular expression of log files that YARN collects while the application runs.");
    private static final SettingKey<String> EXCLUDE = YarnKeys.text(
            "rolledLog.excludePattern",
            "Regular expression of log files that YARN does not collect; it outranks the pattern of included ones.");
    private static final SettingKey<String> TOKEN_CONF = YarnKeys.text(
            "am.tokenConfRegex",
            "Regular expression of Hadoop's settings that the ResourceManager uses to renew the application's tokens.");
    private static final SettingKey<Duration> LIFETIME = SettingKey.duration(
                    YarnKeys.PREFIX + "application.timeout",
                    Duration.ofHours(1),
                    Duration.ofSeconds(1),
                    "Time after which YARN kills the application.")
            .withoutDefault("no bound");

    public static final List<SettingKey<?>> KEYS = List.of(
            QUEUE, TAGS, PRIORITY, TYPE, ATTEMPTS, ATTEMPTS_VALID, NODE_LABEL, INCLUDE, EXCLUDE, TOKEN_CONF, LIFETIME);

    public QueueSettings {
        tags = List.copyOf(tags);
    }

    /** Reads the settings; {@code in} records the problems. */
    public static QueueSettings read(SettingsReader in) {
        return new QueueSettings(
                in.read(QUEUE),
                in.read(TAGS),
                in.find(PRIORITY).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                in.read(TYPE),
                in.find(ATTEMPTS).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                in.find(ATTEMPTS_VALID),
                in.find(NODE_LABEL).orElse(""),
                in.find(INCLUDE),
                in.find(EXCLUDE),
                in.find(TOKEN_CONF),
                in.find(LIFETIME));
    }
}
