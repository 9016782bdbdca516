package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.client.CredentialSettings;
import dev.hearth.kubernetes.internal.client.CredentialSettings.User;
import dev.hearth.kubernetes.internal.pod.DriverPodSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings of a submission in cluster mode. Immutable; its text form names no secret. */
public record SubmissionSettings(
        ClusterSettings cluster,
        DriverPodSettings pod,
        CredentialSettings driver,
        CredentialSettings mounted,
        Optional<String> driverMaster,
        boolean waits,
        boolean dryRun,
        Duration timeout,
        Duration quotaTimeout,
        Duration imageTimeout,
        Duration report,
        Duration followTimeout,
        boolean deletesService,
        boolean annotates,
        int driverPort,
        int blocksPort,
        int secretBytesMax,
        boolean usesPodAddress) {
    private static final String PREFIX = "hearth.kubernetes.";
    private static final int SECRET_BYTES_MAX = 1024 * 1024; // Kubernetes refuses more
    /** Bytes of files that the largest secret carries at most. */
    static final long CARRIED_OF_MAX = 700L * 1024;

    /** Setting that says whether a submission waits for the end of the driver. */
    static final SettingKey<Boolean> WAITS = SettingKey.flag(
            PREFIX + "submission.waitAppCompletion",
            true,
            "Whether a submission in cluster mode waits for the end of the driver, as without --no-wait.");

    private static final SettingKey<Boolean> DRY_RUN = SettingKey.flag(
            PREFIX + "dryRun",
            false,
            "Whether a submission in cluster mode only prints the objects that it would create; flag --dry-run.");
    private static final SettingKey<String> DRIVER_MASTER = SettingKey.text(
                    PREFIX + "driver.master",
                    "",
                    "Master of a driver on the cluster: `k8s://` and an address of the API server, or a local master such"
                            + " as `local[*]`, with which the driver runs without executors.")
            .obeying(
                    "k8s, k8s:// and an address, or a local master",
                    text -> text.isEmpty()
                            || text.equals("k8s")
                            || text.startsWith("k8s://")
                            || text.startsWith("http://")
                            || text.startsWith("https://")
                            || text.startsWith("local"))
            .withoutDefault("the API server of the cluster");
    private static final SettingKey<Duration> TIMEOUT = SettingKey.duration(
            PREFIX + "submission.timeout",
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            "How long a submission repeats requests to an API server that does not answer or is overloaded.");
    private static final SettingKey<Duration> QUOTA_TIMEOUT = SettingKey.duration(
            PREFIX + "driver.quotaTimeout",
            Duration.ZERO,
            Duration.ZERO,
            "How long a submission waits for a quota that the driver's pod exceeds.");
    /** How long a node may fail to fetch an image. */
    public static final SettingKey<Duration> IMAGE_TIMEOUT = SettingKey.duration(
            PREFIX + "imageFailureTimeout",
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            "How long a node may fail to fetch an image; if the image does not exist, 30 seconds, and 15 for a driver.");

    private static final SettingKey<Duration> REPORT = SettingKey.duration(
            PREFIX + "report.interval",
            Duration.ofSeconds(60),
            Duration.ofMillis(1),
            "Longest time without a line about a driver whose end is awaited. Changes appear at once.");
    private static final SettingKey<Duration> FOLLOW_TIMEOUT = SettingKey.duration(
            PREFIX + "submission.followTimeout",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            "How long a submitter waits for an API server that does not answer, before it gives up on a driver.");
    private static final SettingKey<Duration> KILL_GRACE = SettingKey.duration(
                    PREFIX + "appKillPodDeletionGracePeriod",
                    Duration.ofSeconds(30),
                    Duration.ZERO,
                    "Time that a driver has to end after --kill.")
            .withoutDefault("that of its pod");
    private static final SettingKey<Boolean> DELETES_SERVICE = SettingKey.flag(
            PREFIX + "driver.service.deleteOnTermination",
            true,
            "Whether a driver deletes its service when it ends. Otherwise the cluster deletes it with the driver's pod.");
    private static final SettingKey<Boolean> ANNOTATES = SettingKey.flag(
            PREFIX + "driver.annotateExitException",
            false,
            "Whether a driver that fails writes the reason into the annotation spark.exit-exception of its pod.");
    private static final SettingKey<Integer> SECRET_SIZE = SettingKey.integer(
            PREFIX + "configMap.maxSize",
            SECRET_BYTES_MAX,
            64 * 1024,
            SECRET_BYTES_MAX,
            "Bytes that the secret of a submission holds at most: its orders, settings and files. Files are at most 70 %"
                    + " of them; larger ones are sent to the driver.");
    /** Whether executors connect to the address of the driver's pod. */
    static final SettingKey<Boolean> POD_ADDRESS = SettingKey.flag(
            PREFIX + "executor.useDriverPodIP",
            true,
            "Whether executors connect to the address of the driver's pod, in cluster mode; otherwise to the name of its"
                    + " service.");

    private static final SettingKey<Integer> DRIVER_PORT =
            SettingKey.integer("hearth.driver.port", 7078, 0, 65_535, "Port of the driver.");
    private static final SettingKey<Integer> BLOCKS_PORT =
            SettingKey.integer("hearth.blockManager.port", 7079, 0, 65_535, "Port of executors.");

    /** The declared settings; the ports are declared elsewhere. */
    public static final List<SettingKey<?>> KEYS = List.of(
            WAITS,
            DRY_RUN,
            DRIVER_MASTER,
            TIMEOUT,
            QUOTA_TIMEOUT,
            IMAGE_TIMEOUT,
            REPORT,
            FOLLOW_TIMEOUT,
            DELETES_SERVICE,
            ANNOTATES,
            SECRET_SIZE,
            POD_ADDRESS,
            KILL_GRACE);

    /** Reads the settings; {@code in} records the problems. */
    public static SubmissionSettings read(SettingsReader in) {
        DriverPodSettings pod = DriverPodSettings.read(in);
        boolean usesPodAddress = in.read(POD_ADDRESS);
        in.expect(
                usesPodAddress || (pod.service().exists() && pod.service().publishesNotReady()),
                POD_ADDRESS,
                "true without a service of the driver that names it before its pod is ready");
        return new SubmissionSettings(
                ClusterSettings.ofSubmission(in),
                pod,
                CredentialSettings.read(in, User.DRIVER),
                CredentialSettings.read(in, User.DRIVER_MOUNTED),
                in.find(DRIVER_MASTER).filter(text -> !text.isBlank()),
                in.read(WAITS),
                in.read(DRY_RUN),
                in.read(TIMEOUT),
                in.read(QUOTA_TIMEOUT),
                in.read(IMAGE_TIMEOUT),
                in.read(REPORT),
                in.read(FOLLOW_TIMEOUT),
                in.read(DELETES_SERVICE),
                in.read(ANNOTATES),
                in.read(DRIVER_PORT),
                in.read(BLOCKS_PORT),
                in.read(SECRET_SIZE),
                usesPodAddress);
    }

    /** Reads the time that a driver has to end after it was killed. */
    static Optional<Duration> killGrace(SettingsReader in) {
        return in.find(KILL_GRACE);
    }

    /** Bytes of files that the secret of the submission carries at most; it holds them in Base64. */
    long carriedBytesMax() {
        return secretBytesMax * CARRIED_OF_MAX / SECRET_BYTES_MAX;
    }

    /** Whether the driver runs without executors, so that it needs no API server. */
    boolean isLocal() {
        return driverMaster.filter(text -> text.startsWith("local")).isPresent();
    }

    @Override
    public String toString() {
        return "submission to " + cluster;
    }
}
