package dev.hearth.shell.gogo.command;

import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.Inventory;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.SettingsCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Process;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Completes a partly typed line. This is a command, so that a shell can run it in its own process or in a remote one.
 * The command {@code help} does not list it. Created for each call.
 */
@Component(
        service = CompletionCommand.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandProcessor.COMMAND_FUNCTION + "=complete"
        })
public final class CompletionCommand {
    private static final int CANDIDATES_MAX = 500;
    private static final String MARK = "x"; // prevents the parser from reading the encoded text as a number
    private static final Pattern SWITCH = Pattern.compile("--[a-z-]+|-[a-zA-Z]\\b");
    private static final Set<String> OPTIONS_WITH_VALUES = Set.of(ClusterCommands.APPLICATION, ClusterCommands.STATE);
    private static final String STATES = "STATE: "; // of the line of a description that lists them
    private static final String PREFIX = CommandCall.SCOPE + ":";
    private static final String SUBMIT = PREFIX + "submit";

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable DeclaredSettings declared;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable KernelInfo kernel;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Inventory inventory;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Deployer deployer;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Logs logs;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable ClusterAccess clusters;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable InstalledRules rules;

    /**
     * Returns the line of the Hearth shell that asks for completions of {@code typed}. The text {@code typed} is
     * encoded, so that the parser does not change it.
     */
    public static String question(String typed) {
        return PREFIX + "complete " + MARK
                + Base64.getUrlEncoder().withoutPadding().encodeToString(typed.getBytes(StandardCharsets.UTF_8));
    }

    /** Prints the possible completions of the last word, one per line. */
    public void complete(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "complete", arguments, 1);
        String coded = call.need(0, "line");
        String typed;
        try {
            typed = new String(Base64.getUrlDecoder().decode(coded.substring(MARK.length())), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw call.misused("'" + coded + "' (expected: an encoded line)");
        }
        Process process = Process.Utils.current();
        candidates(typed, CommandCatalog.described(session)).forEach(process.out()::println);
    }

    Collection<String> candidates(String typed, SortedMap<String, String> described) {
        String statement = typed.substring(Math.max(typed.lastIndexOf('|'), typed.lastIndexOf(';')) + 1)
                .stripLeading();
        String[] words = statement.split("\\s+", -1);
        String last = words[words.length - 1];
        String command = CommandCatalog.find(words[0], described.keySet())
                .orElse(words[0].contains(":") ? words[0] : PREFIX + words[0]);
        Stream<String> all;
        if (words.length == 1) {
            all = last.contains(":")
                    ? described.keySet().stream()
                    : Stream.concat(shortNames(described), last.isEmpty() ? Stream.empty() : scopes(described));
        } else if (words[words.length - 2].startsWith("--") && OPTIONS_WITH_VALUES.contains(words[words.length - 2])) {
            all = values(words[words.length - 2], described.getOrDefault(command, ""));
        } else if (last.startsWith("-")) {
            Stream<String> own = SWITCH.matcher(described.getOrDefault(command, ""))
                    .results()
                    .map(match -> match.group());
            all = command.equals(SUBMIT) ? Stream.concat(own, flags()) : own;
        } else {
            all = words(command, words, described);
        }
        TreeSet<String> fitting = new TreeSet<>();
        all.filter(word -> word.startsWith(last)).limit(CANDIDATES_MAX).forEach(fitting::add);
        return fitting;
    }

    /** The flags of submissions that the bundles of this installation understand, with their values' names left out. */
    private Stream<String> flags() {
        InstalledRules present = rules;
        if (present == null) {
            return Stream.empty();
        }
        SubmissionRuleTable table = present.allRules();
        return Stream.concat(Stream.of(SubmissionRuleTable.GENERAL), table.schemes().stream())
                .flatMap(scheme -> table.rules(scheme).flags().stream())
                .map(FlagRule::name)
                .filter(name -> name.startsWith("--"));
    }

    private Stream<String> values(String option, String description) {
        if (option.equals(ClusterCommands.APPLICATION)) {
            return applications();
        }
        return description
                .lines()
                .filter(line -> line.startsWith(STATES))
                .flatMap(line -> Stream.of(line.substring(STATES.length()).split("[ ,.]+")));
    }

    private Stream<String> applications() {
        ClusterAccess present = clusters;
        return present == null
                ? Stream.empty()
                : present.glance(ClusterView::applications).stream()
                        .flatMap(found -> found.entries().stream())
                        .map(application -> application.id().value());
    }

    private Stream<String> drivers() {
        ClusterAccess present = clusters;
        return present == null
                ? Stream.empty()
                : present.glance(ClusterView::drivers).stream()
                        .flatMap(found -> found.entries().stream())
                        .map(driver -> driver.id().value());
    }

    private Stream<String> words(String command, String[] words, SortedMap<String, String> described) {
        int place = words.length - 1;
        if (command.startsWith("log:")) {
            boolean isLevel = words[place - 1].equals("--level") || (command.equals("log:set") && place == 1);
            return isLevel ? KernelCommands.LEVELS.stream() : loggers();
        }
        if (command.equals(SUBMIT)) {
            return words[place - 1].equals("--deploy-mode") ? Stream.of("cluster") : jars(words[place]);
        }
        if (!command.startsWith(PREFIX) || place > 2) {
            return Stream.empty();
        }
        String name = command.substring(PREFIX.length());
        if (place == 2) {
            return switch (name) {
                case "log" -> KernelCommands.LEVELS.stream().map(level -> level.toUpperCase(Locale.ROOT));
                case "cancel" -> targets(words[1]);
                case "decommission", "threads" -> executors(words[1]);
                case "logs" -> executorsOnCluster(words[1]);
                default -> Stream.empty();
            };
        }
        String last = words[place];
        return switch (name) {
            case "bundles", "services", "why" -> bundles();
            case "conf" -> keys();
            case "deploy" -> jars(last);
            case "undeploy" -> files();
            case "log" -> loggers();
            case "jobs", "stages" -> running().map(RunningApplication::id);
            case "executors" -> Stream.concat(running().map(RunningApplication::id), applications());
            case "status", "kill", "logs" -> Stream.concat(drivers(), applications());
            case "cancel" -> ApplicationCommands.KINDS.stream();
            case "tasks" -> stages();
            case "decommission", "threads" -> running().map(RunningApplication::id);
            case "help" -> last.contains(":") ? described.keySet().stream() : shortNames(described);
            default -> Stream.empty();
        };
    }

    private static Stream<String> shortNames(SortedMap<String, String> described) {
        return described.keySet().stream().map(name -> CommandCatalog.shortName(name, described.keySet()));
    }

    private static Stream<String> scopes(SortedMap<String, String> described) {
        return described.keySet().stream().map(name -> name.substring(0, name.indexOf(':') + 1));
    }

    private Stream<String> bundles() {
        Inventory present = inventory;
        return present == null ? Stream.empty() : present.bundles().stream().map(Inventory.BundleEntry::name);
    }

    private Stream<RunningApplication> running() {
        RunningApplications present = applications;
        return present == null ? Stream.empty() : present.running().stream();
    }

    /**
     * Returns the completions for the argument of the command {@code cancel} that follows {@code kind}, such as {@code
     * job}: the ids or names of what runs now.
     */
    private Stream<String> targets(String kind) {
        return switch (kind) {
            case "job" -> jobs().map(job -> String.valueOf(job.id()));
            case "stage" -> stages();
            case "group" -> jobs().map(JobView::group).filter(group -> !group.isEmpty());
            case "tag" -> jobs().flatMap(job -> job.tags().stream());
            case "all" -> running().map(RunningApplication::id);
            default -> Stream.empty();
        };
    }

    private Stream<String> stages() {
        return running()
                .flatMap(application -> application.status().activeStages().stream())
                .map(stage -> String.valueOf(stage.id()));
    }

    /** Returns the executors of the application {@code id} that its cluster remembers. */
    private Stream<String> executorsOnCluster(String id) {
        ClusterAccess present = clusters;
        try {
            Optional<ApplicationId> application = Optional.of(new ApplicationId(id));
            return present == null
                    ? Stream.empty()
                    : present.glance(view -> view.executors(application)).stream()
                            .flatMap(found -> found.entries().stream())
                            .map(entry -> entry.id().value());
        } catch (IllegalArgumentException malformed) {
            return Stream.empty(); // no completion
        }
    }

    /** Returns the executors of the application {@code id} that are not lost. */
    private Stream<String> executors(String id) {
        return running()
                .filter(application -> application.id().equals(id))
                .flatMap(application -> application.status().executors().stream())
                .filter(executor -> executor.removedMillis().isEmpty())
                .map(ExecutorView::id);
    }

    private Stream<JobView> jobs() {
        return running()
                .flatMap(application -> application.status().jobs().stream())
                .filter(job -> job.state() == JobView.State.RUNNING);
    }

    private Stream<String> keys() {
        KernelInfo present = kernel;
        DeclaredSettings known = declared;
        return present == null || known == null
                ? Stream.empty()
                : known.catalog().describe(present.settings()).stream().map(SettingsCatalog.Description::key);
    }

    private Stream<String> files() {
        Deployer present = deployer;
        return present == null
                ? Stream.empty()
                : present.deployed().stream()
                        .filter(one -> one.state() != Deployer.State.GONE)
                        .map(Deployer.Deployed::file);
    }

    private Stream<String> loggers() {
        Logs present = logs;
        return present == null ? Stream.empty() : present.levels().keySet().stream();
    }

    /**
     * Returns the jars and subdirectories of the directory that {@code typed} names up to its last slash, as candidates
     * for completion.
     */
    private static Stream<String> jars(String typed) {
        String directory = typed.substring(0, typed.lastIndexOf('/') + 1);
        TreeSet<String> found = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(directory.isEmpty() ? "." : directory))) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (Files.isDirectory(file)) {
                    found.add(directory + name + "/");
                } else if (name.endsWith(".jar")) {
                    found.add(directory + name);
                }
                if (found.size() >= CANDIDATES_MAX) {
                    break;
                }
            }
        } catch (IOException | InvalidPathException notADirectory) {
            return Stream.empty(); // no completion
        }
        return found.stream();
    }
}
