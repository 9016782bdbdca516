package dev.hearth.spi.application;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keys of the application settings that several modules read. Front ends set them, drivers and cluster managers read
 * them, and the module submission declares them.
 */
public final class ApplicationSettings {
    public static final SettingKey<String> MASTER = SettingKey.text(
            "hearth.master",
            "local[*]",
            "Where the application runs: `local[N]`, `local-cluster[N,CORES,MB]`, `hearth://host:7077`, or the URL of another cluster manager.");
    public static final SettingKey<DeployMode> DEPLOY_MODE = SettingKey.choice(
            "hearth.submit.deployMode",
            DeployMode.class,
            DeployMode.CLIENT,
            "Where the driver runs: in the submitting process (`client`) or on the cluster (`cluster`).");
    public static final SettingKey<String> NAME = SettingKey.text(
                    "hearth.app.name", "", "The name of the application, for people.")
            .withoutDefault("its main class");
    public static final SettingKey<String> SUBMIT_TIME = SettingKey.text(
                    "hearth.app.submitTime", "", "When the application was submitted, in milliseconds since 1970.")
            .obeying(
                    "a number of milliseconds",
                    text -> !text.isEmpty() && text.chars().allMatch(Character::isDigit))
            .withoutDefault("when bin/submit was called");
    public static final SettingKey<List<String>> JARS =
            SettingKey.list("hearth.jars", List.of(), "Further jars of the application.");
    public static final SettingKey<List<String>> PACKAGES = SettingKey.list(
            "hearth.jars.packages",
            List.of(),
            "Packages of the application by Maven coordinates, such as `com.google.guava:guava:33.0.0-jre`; they are resolved"
                    + " where the driver starts.");
    public static final SettingKey<List<String>> PACKAGE_EXCLUDES = SettingKey.list(
            "hearth.jars.excludes",
            List.of(),
            "Dependencies of packages to leave out, as `group:name`; `*` stands for any characters.");
    public static final SettingKey<List<String>> PACKAGE_REPOSITORIES = SettingKey.list(
            "hearth.jars.repositories",
            List.of(),
            "Addresses of Maven repositories for packages, which are searched after the default one.");
    public static final SettingKey<String> PACKAGE_DEFAULT_REPOSITORY = SettingKey.text(
                    "hearth.jars.defaultRepository", "", "Address of the first Maven repository for packages.")
            .withoutDefault("Maven Central")
            .obeying("an address, with a scheme", text -> !text.isBlank());
    public static final SettingKey<String> PACKAGE_DIRECTORY = SettingKey.text(
                    "hearth.jars.ivy",
                    "",
                    "Directory for the files of packages, as a local Maven repository; relative to the working directory of"
                            + " the driver.")
            .withoutDefault("localRepository of `~/.m2/settings.xml`, or `~/.m2/repository`");
    public static final SettingKey<Boolean> PACKAGES_OFFLINE = SettingKey.flag(
            "hearth.jars.offline", false, "Whether packages are taken from the local repository alone.");
    public static final SettingKey<String> PACKAGE_IVY_SETTINGS = SettingKey.text(
                    "hearth.jars.ivySettings",
                    "",
                    "Spark's setting for a settings file of Ivy, which Hearth does not read; setting it is refused.")
            .obeying(
                    "nothing, as settings files of Ivy are not read; put repositories into hearth.jars.repositories, and"
                            + " mirrors, proxies and passwords into ~/.m2/settings.xml",
                    String::isEmpty);
    public static final SettingKey<List<String>> REQUIRES = SettingKey.list(
            "hearth.application.requires",
            List.of(),
            "Packages of bundles that the application uses, such as `org.apache.hadoop.*`; for jars whose manifest has no"
                    + " header Hearth-Requires.");
    public static final SettingKey<List<String>> FILES = SettingKey.list(
            "hearth.files",
            List.of(),
            "Files that driver and tasks find by their name, or by the name after a `#`, as after addFile.");
    public static final SettingKey<List<String>> ARCHIVES = SettingKey.list(
            "hearth.archives",
            List.of(),
            "Archives that driver and tasks find unpacked by their name, or by the name after a `#`, as after"
                    + " addArchive.");
    public static final SettingKey<Integer> DRIVER_CORES = SettingKey.integer(
            "hearth.driver.cores", 1, 1, Integer.MAX_VALUE, "Cores of a driver that runs on the cluster.");
    public static final SettingKey<Integer> DRIVER_MEMORY = ContainerSize.DRIVER_MEMORY;
    /** Front ends treat it as the flag {@code --supervise}, which says on which clusters it has an effect. */
    public static final SettingKey<Boolean> DRIVER_SUPERVISE = SettingKey.flag(
            "hearth.driver.supervise",
            false,
            "Whether a cluster starts a driver again that has failed, or, on standalone clusters, whose worker is lost"
                    + " (cluster mode).");

    public static final SettingKey<Integer> DRIVER_RESTARTS_MAX = SettingKey.integer(
                    "hearth.driver.supervise.maxRestarts",
                    1,
                    0,
                    Integer.MAX_VALUE,
                    "Number of restarts of a supervised driver that has failed; starts after the loss of its worker do not"
                            + " count (standalone clusters).")
            .withoutDefault("no bound");
    public static final SettingKey<String> DRIVER_CLASS_PATH = SettingKey.text(
            "hearth.driver.extraClassPath",
            "",
            "Jars and directories that the driver's class loader searches before the application's jar; dir/* stands for"
                    + " the jars in it.");
    public static final SettingKey<String> DRIVER_DEFAULT_CLASS_PATH = SettingKey.text(
            "hearth.driver.defaultExtraClassPath",
            "",
            "Jars and directories that the driver's class loader searches behind those of hearth.driver.extraClassPath.");
    public static final SettingKey<String> EXECUTOR_CLASS_PATH = SettingKey.text(
            "hearth.executor.extraClassPath",
            "",
            "Jars and directories on the machines of executors that their class loader searches before the application's"
                    + " jars; dir/* stands for the jars in it.");
    public static final SettingKey<Integer> EXECUTOR_CORES = ExecutorProfile.CORES;
    public static final SettingKey<Integer> EXECUTOR_MEMORY = ContainerSize.EXECUTOR_MEMORY;
    public static final SettingKey<Integer> EXECUTOR_INSTANCES = SettingKey.integer(
                    "hearth.executor.instances",
                    1,
                    0,
                    Integer.MAX_VALUE,
                    "Number of executors that the application requests; 0 with dynamic allocation alone.")
            .withoutDefault("as many as fit");
    /** Declared by the engine, which follows the load. */
    public static final SettingKey<Boolean> FOLLOWS_LOAD = SettingKey.flag(
            "hearth.dynamicAllocation.enabled",
            false,
            "Whether the number of executors follows the number of tasks (dynamic allocation).");

    public static final SettingKey<Integer> EXECUTOR_FAILURES_MAX = SettingKey.integer(
                    "hearth.executor.maxNumFailures",
                    3,
                    1,
                    Integer.MAX_VALUE,
                    "Number of failed executors that fails the application, on local clusters.")
            .withoutDefault("twice the executors, at least 3");
    public static final SettingKey<Duration> EXECUTOR_FAILURES_INTERVAL = SettingKey.duration(
                    "hearth.executor.failuresValidityInterval",
                    Duration.ofHours(1),
                    Duration.ofSeconds(1),
                    "How long a failed executor counts towards hearth.executor.maxNumFailures.")
            .withoutDefault("as long as the application runs");
    public static final SettingKey<Integer> CORES_MAX = SettingKey.integer(
                    "hearth.cores.max", 1, 1, Integer.MAX_VALUE, "Cores of all executors together.")
            .withoutDefault("no bound");

    public static final SettingKey<String> SUBMISSION_ID = DriverOrders.SUBMISSION_ID;
    public static final SettingKey<Integer> DRIVER_ATTEMPT = DriverOrders.ATTEMPT;

    private static final List<SettingKey<?>> OWN_KEYS = List.of(
            MASTER,
            DEPLOY_MODE,
            NAME,
            SUBMIT_TIME,
            JARS,
            PACKAGES,
            PACKAGE_EXCLUDES,
            PACKAGE_REPOSITORIES,
            PACKAGE_DEFAULT_REPOSITORY,
            PACKAGE_DIRECTORY,
            PACKAGES_OFFLINE,
            PACKAGE_IVY_SETTINGS,
            REQUIRES,
            FILES,
            ARCHIVES,
            DRIVER_CORES,
            DRIVER_MEMORY,
            DRIVER_SUPERVISE,
            DRIVER_RESTARTS_MAX,
            DRIVER_CLASS_PATH,
            DRIVER_DEFAULT_CLASS_PATH,
            EXECUTOR_CLASS_PATH,
            EXECUTOR_CORES,
            EXECUTOR_MEMORY,
            EXECUTOR_INSTANCES,
            EXECUTOR_FAILURES_MAX,
            EXECUTOR_FAILURES_INTERVAL,
            CORES_MAX,
            SUBMISSION_ID,
            DRIVER_ATTEMPT);

    public static final List<SettingKey<?>> KEYS = Stream.of(
                    OWN_KEYS, LaunchOptions.KEYS, ContainerSize.KEYS, ResourceRequest.KEYS)
            .flatMap(List::stream)
            .toList();

    private ApplicationSettings() {}

    /** Notes a problem if the settings ask for no executors while their number does not follow the load. */
    public static void expectExecutors(SettingsReader in) {
        int instances = in.find(EXECUTOR_INSTANCES).orElse(1);
        in.expect(
                in.read(FOLLOWS_LOAD) || instances > 0,
                EXECUTOR_INSTANCES,
                "1 or more, as " + FOLLOWS_LOAD + " is off");
    }
}
