package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a command line into what it asks for. Settings rank: flags, {@code --conf}, {@code --properties-file}, and the
 * installation's. Only reads: it looks at the files that are named, and leaves nothing behind.
 */
public final class Arguments {
    private static final Logger LOG = LoggerFactory.getLogger(Arguments.class);
    private static final String JARS_KEY = "hearth.jars";
    private static final String DEFAULT_MASTER = "local[*]";
    private static final String DEFAULT_MODE = "client";

    private final CommandLine line;
    private final LocalFiles files;
    private final Settings settings;

    private Arguments(CommandLine line, LocalFiles files, Settings installation) {
        this.line = line;
        this.files = files;
        this.settings = rank(installation);
    }

    /** Reads a command line written in the working directory of this process. */
    public static SubmissionRequest parse(List<String> arguments, Settings installation) {
        return parse(arguments, installation, Path.of(""));
    }

    static SubmissionRequest parse(List<String> arguments, Settings installation, Path directory) {
        CommandLine line = CommandLine.parse(arguments);
        if (line.has(Flag.HELP)) {
            return new SubmissionRequest.Help();
        }
        if (line.has(Flag.VERSION)) {
            return new SubmissionRequest.Version();
        }
        Arguments parsed = new Arguments(line, new LocalFiles(directory.toAbsolutePath()), installation);
        if (line.has(Flag.KILL) || line.has(Flag.STATUS)) {
            return parsed.question();
        }
        return parsed.submit();
    }

    /** How to write a command line. */
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

    /** Refuses a request whose deploy mode the manager of its master does not offer. */
    public static void requireOffered(SubmissionRequest.Submit request, ClusterManager manager) {
        if (!manager.deployModes().contains(request.mode())) {
            throw ErrorCode.DEPLOY_MODE_UNKNOWN.failure("master " + request.master() + ": deploy mode "
                    + word(request.mode()) + " (expected: one of "
                    + manager.deployModes().stream().map(Arguments::word).toList() + "); name it with "
                    + Flag.DEPLOY_MODE.text());
        }
    }

    private SubmissionRequest question() {
        if (line.has(Flag.KILL) && line.has(Flag.STATUS)) {
            throw ErrorCode.BAD_ARGUMENT.failure("--kill and --status: both given (expected: one of them)");
        }
        line.jar().ifPresent(extra -> {
            throw ErrorCode.BAD_ARGUMENT.failure("argument '" + extra
                    + "': unexpected (expected: no application with --kill or --status); leave it out");
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
        String given = line.jar().orElseThrow(Arguments::noApplication);
        MasterUrl master = master();
        DeployMode mode = mode();
        checkResources();
        Path jar = files.jar("application jar", given);
        List<String> jars = jars();
        String mainClass = line.find(Flag.CLASS).or(() -> files.mainClass(jar)).orElseThrow(() -> noMainClass(jar));
        Settings planned = settings.with(origin("hearth.master"), "hearth.master", master.text())
                .with(origin("hearth.submit.deployMode"), "hearth.submit.deployMode", word(mode));
        if (!jars.isEmpty()) {
            planned = planned.with(origin(JARS_KEY), JARS_KEY, String.join(",", jars));
        }
        SubmissionPlan plan = new SubmissionPlan(
                settings.find("hearth.app.name").orElse(mainClass),
                mainClass,
                jar.toString(),
                jars,
                line.arguments(),
                planned);
        return new SubmissionRequest.Submit(plan, master, mode, !line.has(Flag.NO_WAIT), line.has(Flag.VERBOSE));
    }

    private Settings rank(Settings installation) {
        Settings ranked = installation;
        Optional<String> file = line.find(Flag.PROPERTIES_FILE);
        if (file.isPresent()) {
            ranked = ranked.with(file.get(), known(file.get(), files.properties(file.get())));
        }
        ranked = ranked.with(Flag.CONF.text(), known(Flag.CONF.text(), line.conf()));
        for (Map.Entry<Flag, String> given : line.flags().entrySet()) {
            Optional<String> key = given.getKey().key();
            if (key.isPresent()) {
                ranked = ranked.with(given.getKey().text(), key.get(), given.getValue());
            }
        }
        return ranked;
    }

    /** Leaves out what is no setting of ours or of the field, and says so. */
    private static Map<String, String> known(String origin, Map<String, String> given) {
        Map<String, String> known = new LinkedHashMap<>();
        given.forEach((key, value) -> {
            if (key.startsWith(Settings.PREFIX) || key.startsWith("spark.")) {
                known.put(key, value);
            } else {
                LOG.warn("setting {}: ignored (expected: a key that begins with hearth.); from {}", key, origin);
            }
        });
        return known;
    }

    private MasterUrl master() {
        return MasterUrl.parse(settings.find("hearth.master").orElse(DEFAULT_MASTER));
    }

    private DeployMode mode() {
        String text = settings.find("hearth.submit.deployMode").orElse(DEFAULT_MODE);
        for (DeployMode mode : DeployMode.values()) {
            if (word(mode).equals(text)) {
                return mode;
            }
        }
        throw ErrorCode.BAD_ARGUMENT.failure("deploy mode: '" + text + "' (expected: client or cluster); from "
                + origin("hearth.submit.deployMode"));
    }

    private void checkResources() {
        SettingsReader in = new SettingsReader(settings);
        in.mebibytes("hearth.driver.memory", 1);
        in.mebibytes("hearth.executor.memory", 1);
        in.integer("hearth.driver.cores", 1, 1);
        in.integer("hearth.executor.cores", 1, 1);
        in.integer("hearth.cores.max", 1, 1);
        in.integer("hearth.executor.instances", 1, 1);
        in.finish();
    }

    private List<String> jars() {
        List<String> jars = new ArrayList<>();
        for (String jar : settings.find(JARS_KEY).orElse("").split(",", -1)) {
            if (!jar.isBlank()) {
                jars.add(files.jar("jar from " + origin(JARS_KEY), jar.trim()).toString());
            }
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
