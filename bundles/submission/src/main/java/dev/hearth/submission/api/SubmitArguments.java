package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.settings.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts the command line of {@code submit} to a request. Settings of the command line take precedence over those of
 * the installation, as {@link SettingsSources} describes. Reads files and has no other side effects.
 */
public final class SubmitArguments {
    private static final Logger LOG = LoggerFactory.getLogger(SubmitArguments.class);
    private static final String MASTER_KEY = ApplicationSettings.MASTER.name();
    private static final String MODE_KEY = ApplicationSettings.DEPLOY_MODE.name();
    private static final String DRIVER_CLASS_PATH_KEY = ApplicationSettings.DRIVER_CLASS_PATH.name();
    private static final String JARS_KEY = ApplicationSettings.JARS.name();

    private final CommandLine line;
    private final LocalFiles files;
    private final Settings settings;

    private SubmitArguments(
            CommandLine line, LocalFiles files, Settings installation, Map<String, String> environment) {
        this.line = line;
        this.files = files;
        this.settings = rank(installation, files.directory(), environment);
    }

    /**
     * Parses a command line, relative to the working directory of this process. {@code check} validates all settings
     * first. It is skipped if the command line sets only keys that this class itself reads and validates.
     */
    public static SubmissionRequest parse(List<String> arguments, Settings installation, Consumer<Settings> check) {
        return parse(arguments, installation, check, Path.of(""), System.getenv());
    }

    static SubmissionRequest parse(
            List<String> arguments,
            Settings installation,
            Consumer<Settings> check,
            Path directory,
            Map<String, String> environment) {
        CommandLine line = CommandLine.parse(arguments);
        if (line.has(Flag.HELP)) {
            return new SubmissionRequest.Help();
        }
        if (line.has(Flag.VERSION)) {
            return new SubmissionRequest.Version();
        }
        SubmitArguments parsed =
                new SubmitArguments(line, new LocalFiles(directory.toAbsolutePath()), installation, environment);
        if (!parsed.hasOnlyApplicationSettings()) {
            check.accept(parsed.settings);
        }
        if (line.has(Flag.KILL) || line.has(Flag.STATUS)) {
            return parsed.statusOrKill();
        }
        return parsed.submit();
    }

    /** Usage text. */
    public static String usage() {
        StringBuilder text = new StringBuilder("""
                Usage: submit [flags] <application jar> [application arguments]
                       submit --status ID | --kill ID [--master URL]
                Flags:
                """);
        for (Flag flag : Flag.values()) {
            text.append(flag.usage()).append('\n');
        }
        return text.toString();
    }

    /** Rejects a request whose deploy mode the chosen cluster manager does not support. */
    public static void requireOffered(SubmissionRequest.Submit request, ClusterManager manager) {
        if (!manager.deployModes().contains(request.mode())) {
            throw ErrorCode.DEPLOY_MODE_UNKNOWN.failure("master " + request.master() + ": deploy mode "
                    + word(request.mode()) + " (expected: one of "
                    + manager.deployModes().stream().map(SubmitArguments::word).toList() + "); name it with "
                    + Flag.DEPLOY_MODE.text());
        }
    }

    /**
     * Whether only settings of {@link ApplicationSettings} are set. Their names and values can then be checked without
     * the declarations of settings in other bundles.
     */
    private boolean hasOnlyApplicationSettings() {
        return ApplicationSettings.KEYS.stream().map(SettingKey::name).toList().containsAll(settings.keys());
    }

    private SubmissionRequest statusOrKill() {
        if (line.has(Flag.KILL) && line.has(Flag.STATUS)) {
            throw ErrorCode.BAD_ARGUMENT.failure("--kill and --status: both given (expected: one of them)");
        }
        line.jar().ifPresent(extra -> {
            throw ErrorCode.BAD_ARGUMENT.failure("argument '" + extra
                    + "': unexpected (expected: no application with --kill or --status); leave the argument out");
        });
        MasterUrl master = master();
        return line.has(Flag.KILL)
                ? new SubmissionRequest.Kill(submission(Flag.KILL), master, settings)
                : new SubmissionRequest.Status(submission(Flag.STATUS), master, settings);
    }

    private SubmissionId submission(Flag flag) {
        String id = line.find(flag).orElse("");
        try {
            return new SubmissionId(id);
        } catch (IllegalArgumentException illegal) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    flag.text() + ": '" + id + "' (expected: an id such as driver-20261118094746-0000)", illegal);
        }
    }

    private SubmissionRequest submit() {
        String jarName = line.jar().orElseThrow(SubmitArguments::noApplication);
        MasterUrl master = master();
        DeployMode mode = mode();
        Path jar = files.jar("application jar", jarName);
        List<String> jars = jars();
        String mainClass = line.find(Flag.CLASS).or(() -> files.mainClass(jar)).orElseThrow(() -> noMainClass(jar));
        Settings planned = settings.with(origin(MASTER_KEY), MASTER_KEY, master.text())
                .with(origin(MODE_KEY), MODE_KEY, word(mode));
        if (!jars.isEmpty()) {
            planned = planned.with(origin(JARS_KEY), JARS_KEY, String.join(",", jars));
        }
        Optional<String> classPath = in(DRIVER_CLASS_PATH_KEY).filter(text -> mode == DeployMode.CLIENT);
        if (classPath.isPresent()) {
            // existence is checked on this machine; in cluster mode, paths refer to machines of the cluster
            planned = planned.with(
                    origin(DRIVER_CLASS_PATH_KEY),
                    DRIVER_CLASS_PATH_KEY,
                    files.classPath("class path from " + origin(DRIVER_CLASS_PATH_KEY), classPath.get()));
        }
        SubmissionPlan.Builder plan = SubmissionPlan.builder(
                        new SettingsReader(settings)
                                .find(ApplicationSettings.NAME)
                                .orElse(mainClass),
                        mainClass)
                .add(Kind.APPLICATION_JAR, jar.toString())
                .arguments(line.arguments())
                .settings(planned);
        jars.forEach(further -> plan.add(Kind.JAR, further));
        return new SubmissionRequest.Submit(
                plan.build(), master, mode, !line.has(Flag.NO_WAIT), line.has(Flag.VERBOSE));
    }

    private Settings rank(Settings installation, Path directory, Map<String, String> environment) {
        SettingsSources sources = new SettingsSources(directory, environment);
        line.propertiesFiles().forEach(sources::propertiesFile);
        line.conf().forEach(text -> sources.conf(Flag.CONF.text(), text));
        line.flags().forEach((flag, value) -> flag.key().ifPresent(key -> sources.flag(flag.text(), key, value)));
        Settings ranked = sources.over(installation);
        sources.warnings().forEach(LOG::warn);
        return ranked;
    }

    private MasterUrl master() {
        return MasterUrl.parse(new SettingsReader(settings).read(ApplicationSettings.MASTER));
    }

    /**
     * Returns the deploy mode from the settings. Fails if any application setting is invalid, not only the deploy mode.
     */
    private DeployMode mode() {
        SettingsReader in = new SettingsReader(settings);
        DeployMode mode = in.read(ApplicationSettings.DEPLOY_MODE);
        ApplicationSettings.KEYS.forEach(in::find);
        in.finish();
        return mode;
    }

    private Optional<String> in(String key) {
        return settings.find(key).filter(text -> !text.isBlank());
    }

    private List<String> jars() {
        List<String> jars = new ArrayList<>();
        for (String jar : new SettingsReader(settings).read(ApplicationSettings.JARS)) {
            jars.add(files.jar("jar from " + origin(JARS_KEY), jar).toString());
        }
        return jars;
    }

    private String origin(String key) {
        return settings.origin(key).orElse("default");
    }

    private static String word(DeployMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    private static HearthException noApplication() {
        return ErrorCode.BAD_ARGUMENT.failure("application jar: none given (expected: submit [flags] <application jar>"
                + " [application arguments]); --help lists the flags");
    }

    private static HearthException noMainClass(Path jar) {
        return ErrorCode.BAD_ARGUMENT.failure("main class: none named in the manifest of " + jar
                + " (expected: a Main-Class entry, or --class); name it with --class");
    }
}
