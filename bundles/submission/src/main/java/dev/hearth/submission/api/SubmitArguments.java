package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.settings.SettingsSources;
import dev.hearth.submission.api.FlagDecisions.FlagSetting;
import java.nio.file.Path;
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

    /** Flags of requests that are not for an application, or that print something in the process of bin/submit. */
    private static final List<String> FOREIGN_REFUSED = List.of(
            CommandLine.KILL,
            CommandLine.STATUS,
            CommandLine.HELP,
            CommandLine.VERSION,
            CommandLine.JSON,
            CommandLine.VIA);

    private final CommandLine line;
    private final Path directory;
    private final Map<String, String> environment;
    private final Settings settings;
    private final Consumer<String> warning;

    private SubmitArguments(
            CommandLine line,
            Path directory,
            Map<String, String> environment,
            Settings settings,
            Consumer<String> warning) {
        this.line = line;
        this.directory = directory;
        this.environment = environment;
        this.settings = settings;
        this.warning = warning;
    }

    /**
     * Parses a command line, relative to the working directory of this process, by the rules {@code installed}. {@code
     * check} validates all settings first. It is skipped if the command line sets only keys that this class itself reads
     * and validates. {@code warning} receives lines for the user, as about flags without effect.
     */
    public static SubmissionRequest parse(
            List<String> arguments,
            Settings installation,
            InstalledRules installed,
            Consumer<Settings> check,
            Consumer<String> warning) {
        return parse(arguments, installation, installed, check, warning, Path.of(""), System.getenv());
    }

    static SubmissionRequest parse(
            List<String> arguments,
            Settings installation,
            InstalledRules installed,
            Consumer<Settings> check,
            Consumer<String> warning,
            Path directory,
            Map<String, String> environment) {
        KnownFlags known = new KnownFlags(installed);
        CommandLine line = CommandLine.parse(arguments, known);
        line.find(CommandLine.VIA).ifPresent(via -> {
            throw ErrorCode.BAD_ARGUMENT.failure(CommandLine.VIA + ": '" + via
                    + "': not possible here (expected: on the command line of bin/submit); leave the flag out");
        });
        return parse(line, known, installation, check, warning, directory, environment);
    }

    /** Returns the process through which the command line is to be submitted; empty if it names none. */
    public static Optional<String> via(List<String> arguments, InstalledRules installed) {
        return CommandLine.parse(arguments, new KnownFlags(installed)).find(CommandLine.VIA);
    }

    /**
     * As {@link #parse(List, Settings, InstalledRules, Consumer, Consumer)}, for a command line that is submitted through
     * another process, which checks the settings.
     */
    public static SubmissionRequest parseVia(
            List<String> arguments, Settings installation, InstalledRules installed, Consumer<String> warning) {
        KnownFlags known = new KnownFlags(installed);
        SubmissionRequest request = parse(
                CommandLine.parse(arguments, known),
                known,
                installation,
                settings -> {},
                warning,
                Path.of(""),
                System.getenv());
        if (request instanceof SubmissionRequest.Submit submit && submit.mode() != DeployMode.CLUSTER) {
            throw ErrorCode.DEPLOY_MODE_UNKNOWN.failure("deploy mode " + word(submit.mode())
                    + " with " + CommandLine.VIA + ": that process runs no drivers (expected: "
                    + CommandLine.DEPLOY_MODE
                    + " cluster); leave " + CommandLine.VIA + " out to run the driver here");
        }
        return request;
    }

    private static SubmissionRequest parse(
            CommandLine line,
            KnownFlags known,
            Settings installation,
            Consumer<Settings> check,
            Consumer<String> warning,
            Path directory,
            Map<String, String> environment) {
        if (line.has(CommandLine.HELP) || line.has(CommandLine.USAGE_ERROR)) {
            return new SubmissionRequest.Help(line.has(CommandLine.USAGE_ERROR));
        }
        if (line.has(CommandLine.VERSION)) {
            return new SubmissionRequest.Version();
        }
        Path absolute = directory.toAbsolutePath();
        Settings settings = rank(line, known, installation, absolute, environment, warning);
        SubmitArguments parsed = new SubmitArguments(line, absolute, environment, settings, warning);
        if (!parsed.hasOnlyApplicationSettings()) {
            check.accept(parsed.settings);
        }
        if (line.has(CommandLine.KILL) || line.has(CommandLine.STATUS)) {
            return parsed.statusOrKill();
        }
        return parsed.submit();
    }

    /**
     * Parses a command line that comes from another process, for an application in cluster mode. Reads no file that it
     * names. {@code below} are the settings that rank below its own; {@code environment} are variables of the driver, to
     * which values may refer. {@code check} validates all settings.
     */
    public static SubmissionRequest.Submit parseForeign(
            List<String> arguments,
            Settings below,
            Map<String, String> environment,
            InstalledRules installed,
            Consumer<Settings> check,
            Consumer<String> warning) {
        KnownFlags known = new KnownFlags(installed);
        CommandLine line = CommandLine.parse(arguments, known);
        FOREIGN_REFUSED.stream().filter(line::has).findFirst().ifPresent(flag -> {
            throw ErrorCode.BAD_ARGUMENT.failure(flag + ": in the request of an application (expected: an application"
                    + " to submit); leave the flag out");
        });
        if (!line.propertiesFiles().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("--properties-file: '"
                    + line.propertiesFiles().get(0) + "': a file that is not on this machine (expected: --conf"
                    + " KEY=VALUE, as the request comes from another process)");
        }
        Path root = Path.of("/");
        Settings settings = rank(line, known, below, root, environment, warning);
        SubmitArguments parsed = new SubmitArguments(line, root, environment, settings, warning);
        check.accept(settings);
        DeployMode mode = parsed.mode();
        if (mode != DeployMode.CLUSTER) {
            throw ErrorCode.DEPLOY_MODE_UNKNOWN.failure("deploy mode " + word(mode) + " from " + parsed.origin(MODE_KEY)
                    + ": the application would run in this process, with those of others (expected: "
                    + CommandLine.DEPLOY_MODE + " cluster); run bin/submit for client mode");
        }
        line.jar().ifPresent(SubmitArguments::requireJava);
        MasterUrl master = parsed.master();
        Settings planned = settings.with(parsed.origin(MASTER_KEY), MASTER_KEY, master.text())
                .with(parsed.origin(MODE_KEY), MODE_KEY, word(mode));
        SubmissionPlan plan = SubmissionPlanner.ofForeign(planned, environment, warning)
                .plan(line.jar(), line.find(CommandLine.CLASS), line.arguments());
        return new SubmissionRequest.Submit(plan, master, mode, false, false);
    }

    /** Usage text, with the flags of all clusters whose rules are {@code installed}. */
    public static String usage(InstalledRules installed) {
        return SubmitUsage.of(installed);
    }

    /** Rejects a request whose deploy mode the chosen cluster manager does not support. */
    public static void requireOffered(SubmissionRequest.Submit request, ClusterManager manager) {
        if (!manager.deployModes().contains(request.mode())) {
            throw ErrorCode.DEPLOY_MODE_UNKNOWN.failure("master " + request.master() + ": deploy mode "
                    + word(request.mode()) + " (expected: one of "
                    + manager.deployModes().stream().map(SubmitArguments::word).toList() + "); name it with "
                    + CommandLine.DEPLOY_MODE);
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
        if (line.has(CommandLine.KILL) && line.has(CommandLine.STATUS)) {
            throw ErrorCode.BAD_ARGUMENT.failure("--kill and --status: both given (expected: one of them)");
        }
        line.jar().ifPresent(extra -> {
            throw ErrorCode.BAD_ARGUMENT.failure("argument '" + extra
                    + "': unexpected (expected: no application with --kill or --status); leave the argument out");
        });
        MasterUrl master = master();
        boolean json = line.has(CommandLine.JSON);
        return line.has(CommandLine.KILL)
                ? new SubmissionRequest.Kill(pattern(CommandLine.KILL), master, settings, json)
                : new SubmissionRequest.Status(pattern(CommandLine.STATUS), master, settings, json);
    }

    private SubmissionPattern pattern(String flag) {
        String text = line.find(flag).orElse("");
        try {
            return new SubmissionPattern(text);
        } catch (IllegalArgumentException illegal) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    flag + ": '" + text + "' (expected: an id such as driver-20261118094746-0000, or a pattern such as"
                            + " driver-2026*)",
                    illegal);
        }
    }

    private SubmissionRequest submit() {
        if (line.has(CommandLine.JSON)) {
            throw ErrorCode.BAD_ARGUMENT.failure("--json: with an application (expected: with --status or --kill);"
                    + " leave it out, or give it to the application, after the jar");
        }
        line.jar().ifPresent(SubmitArguments::requireJava);
        MasterUrl master = master();
        DeployMode mode = mode();
        Settings planned = settings.with(origin(MASTER_KEY), MASTER_KEY, master.text())
                .with(origin(MODE_KEY), MODE_KEY, word(mode));
        SubmissionPlan plan = new SubmissionPlanner(planned, directory, mode, environment, warning)
                .plan(line.jar(), line.find(CommandLine.CLASS), line.arguments());
        Optional<String> requestId = line.find(CommandLine.REQUEST_ID);
        if (requestId.isPresent()) {
            plan = plan.but().requestId(requestId.get().strip()).build();
        }
        return new SubmissionRequest.Submit(
                plan, master, mode, !line.has(CommandLine.NO_WAIT), line.has(CommandLine.VERBOSE));
    }

    /**
     * Ranks the settings of all sources. The flags of a cluster are decided once its master is known from the other
     * sources.
     */
    private static Settings rank(
            CommandLine line,
            KnownFlags known,
            Settings installation,
            Path directory,
            Map<String, String> environment,
            Consumer<String> warning) {
        if (!line.empty().isEmpty()) {
            warning.accept(String.join(", ", line.empty()) + ": empty (expected: a value); read as if not given");
        }
        List<FlagSetting> general = FlagDecisions.general(line, known);
        SettingsSources sources = sources(line, general, directory, environment);
        Settings ranked = FormerMasters.resolved(sources.over(installation), warning);
        sources.warnings().forEach(LOG::warn);
        SettingsReader in = new SettingsReader(ranked);
        boolean asks = line.has(CommandLine.KILL) || line.has(CommandLine.STATUS);
        FlagDecisions decisions = new FlagDecisions(
                known,
                MasterUrl.parse(in.read(ApplicationSettings.MASTER)).scheme(),
                asks ? Optional.empty() : Optional.of(in.read(ApplicationSettings.DEPLOY_MODE)),
                directory,
                warning);
        List<FlagSetting> decided = decisions.decide(line, ranked);
        return decisions.isGeneral()
                ? ranked
                : FormerMasters.resolved(
                        sources(line, decided, directory, environment).over(installation), told -> {});
    }

    private static SettingsSources sources(
            CommandLine line, List<FlagSetting> flags, Path directory, Map<String, String> environment) {
        SettingsSources sources = new SettingsSources(directory, environment);
        line.propertiesFiles().forEach(sources::propertiesFile);
        line.conf().forEach(text -> sources.conf(CommandLine.CONF, text));
        flags.forEach(flag -> sources.flag(flag.flag(), flag.key(), flag.value()));
        return sources;
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
        ApplicationSettings.expectExecutors(in);
        in.finish();
        return mode;
    }

    private String origin(String key) {
        return settings.origin(key).orElse("default");
    }

    private static String word(DeployMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** Rejects programs in languages that have no runner here, by the names that Spark gives to them. */
    private static void requireJava(String application) {
        String name = application.toLowerCase(Locale.ROOT);
        String language = "";
        if (name.endsWith(".py") || name.equals("pyspark-shell")) {
            language = "Python";
        } else if (name.endsWith(".r") || name.equals("sparkr-shell")) {
            language = "R";
        } else if (name.equals("spark-shell")) {
            language = "the Scala shell";
        }
        if (!language.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("application '" + application + "': a program in " + language
                    + " (expected: a jar); " + language + " is not supported");
        }
    }
}
