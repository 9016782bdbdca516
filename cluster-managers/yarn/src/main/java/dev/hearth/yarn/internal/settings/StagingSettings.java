package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Directories and files with which a submission brings code and files to the nodes. Immutable. */
public record StagingSettings(
        Optional<String> configurationDirectory,
        Optional<String> stagingDirectory,
        Optional<String> storeDirectory,
        Duration storeKeep,
        boolean keepsStaging,
        OptionalInt replication,
        List<String> jars,
        List<String> files,
        List<String> archives,
        Optional<String> platformArchive,
        Optional<String> gatewayPath,
        String replacementPath) {

    public static final SettingKey<String> CONFIGURATION = YarnKeys.text(
            "confDir",
            "Directory of Hadoop's configuration, in place of HADOOP_CONF_DIR and YARN_CONF_DIR; yarn[DIR] as the master"
                    + " names one, too.");
    private static final SettingKey<String> STAGING = SettingKey.text(
                    YarnKeys.PREFIX + "stagingDir",
                    "",
                    "Directory on a Hadoop file system for the files of one application, in .hearthStaging below it.")
            .withoutDefault("the user's home there");
    public static final SettingKey<String> STORE = SettingKey.text(
                    YarnKeys.PREFIX + "store.dir",
                    "",
                    "Directory on a Hadoop file system that keeps code and files by their content, for all"
                            + " applications.")
            .withoutDefault(".hearth/store in the staging directory");
    private static final SettingKey<Duration> KEEP = SettingKey.duration(
            YarnKeys.PREFIX + "store.keep",
            Duration.ofDays(30),
            Duration.ofHours(1),
            "How long a file that no application uses stays in the store.");
    private static final SettingKey<Boolean> KEEP_STAGING = SettingKey.flag(
            YarnKeys.PREFIX + "preserve.staging.files",
            false,
            "Whether the files of an application stay in the staging directory after its end.");
    private static final SettingKey<Integer> REPLICATION = SettingKey.integer(
                    YarnKeys.PREFIX + "submit.file.replication", 3, 1, Short.MAX_VALUE, "Replicas of uploaded files.")
            .withoutDefault("that of the file system; of the platform's archive, 10 or the number of nodes");
    public static final SettingKey<List<String>> JARS =
            YarnKeys.list("dist.jars", "Jars of the application, in addition to those of --jars.");
    public static final SettingKey<List<String>> FILES = YarnKeys.list(
            "dist.files", "Files for the working directory of each container, in addition to those of --files.");
    public static final SettingKey<List<String>> ARCHIVES = YarnKeys.list(
            "dist.archives",
            "Archives, unpacked in the working directory of each container, in addition to those of --archives.");
    private static final SettingKey<String> ARCHIVE = YarnKeys.text(
            "archive",
            "URI of an archive of this installation on a Hadoop file system, in place of one that the submission"
                    + " uploads.");
    private static final SettingKey<List<String>> PLATFORM_JARS = YarnKeys.list(
            "jars",
            "Spark's list of its own jars. A single URI of an archive of Hearth is understood as hearth.yarn.archive.");
    private static final SettingKey<String> GATEWAY = YarnKeys.text(
            "config.gatewayPath", "Begin of local: paths on this machine that are elsewhere on the nodes.");
    private static final SettingKey<String> REPLACEMENT = SettingKey.text(
            YarnKeys.PREFIX + "config.replacementPath",
            "",
            "What takes the place of hearth.yarn.config.gatewayPath on the nodes.");

    public static final List<SettingKey<?>> KEYS = List.of(
            CONFIGURATION,
            STAGING,
            STORE,
            KEEP,
            KEEP_STAGING,
            REPLICATION,
            JARS,
            FILES,
            ARCHIVES,
            ARCHIVE,
            PLATFORM_JARS,
            GATEWAY,
            REPLACEMENT);

    public StagingSettings {
        jars = List.copyOf(jars);
        files = List.copyOf(files);
        archives = List.copyOf(archives);
    }

    /** Reads the settings; {@code in} records the problems. */
    public static StagingSettings read(SettingsReader in) {
        List<String> platformJars = in.read(PLATFORM_JARS);
        in.expect(
                platformJars.size() < 2 && platformJars.stream().allMatch(StagingSettings::isArchive),
                PLATFORM_JARS,
                "one archive of Hearth, .tar.gz, .tgz, .tar or .zip; Spark's jars have no use here");
        Optional<String> gateway = in.find(GATEWAY);
        in.expect(
                gateway.isPresent() == in.find(REPLACEMENT).isPresent(),
                gateway.isPresent() ? GATEWAY : REPLACEMENT,
                "both hearth.yarn.config.gatewayPath and hearth.yarn.config.replacementPath, or neither");
        return new StagingSettings(
                in.find(CONFIGURATION),
                YarnKeys.unlessBlank(in.find(STAGING)),
                YarnKeys.unlessBlank(in.find(STORE)),
                in.read(KEEP),
                in.read(KEEP_STAGING),
                in.find(REPLICATION).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                in.read(JARS),
                in.read(FILES),
                in.read(ARCHIVES),
                in.find(ARCHIVE).or(() -> platformJars.stream().findFirst()),
                gateway,
                in.read(REPLACEMENT));
    }

    private static boolean isArchive(String address) {
        return address.endsWith(".tar.gz")
                || address.endsWith(".tgz")
                || address.endsWith(".tar")
                || address.endsWith(".zip");
    }

    /** The path on the nodes of {@code path} on this machine. */
    public String onNodes(String path) {
        return gatewayPath
                .map(gateway -> path.replace(gateway, replacementPath))
                .orElse(path);
    }
}
