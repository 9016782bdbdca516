package dev.hearth.kubernetes.internal.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.client.ApiServerAccess;
import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.client.OpenServers;
import dev.hearth.kubernetes.internal.pod.AccountManifests;
import dev.hearth.kubernetes.internal.pod.LeastRoles;
import dev.hearth.kubernetes.internal.sweep.SweepResult;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Command that deletes what submitters and drivers that died have left in a namespace. Stateless. */
@Component(
        service = SweepCommand.class,
        property = {"osgi.command.scope=hearth", "osgi.command.function=sweep", "hearth.command.topic=Cluster"})
public final class SweepCommand {
    private static final Logger LOG = LoggerFactory.getLogger(SweepCommand.class);
    private static final String NAME = "hearth:sweep";
    private static final String MASTER = "hearth.master";
    private static final String IMAGE = "hearth.kubernetes.container.image";
    private static final String ACCOUNT = "hearth-sweeper";
    private static final String SCHEDULE = "*/15 * * * *";
    private static final long ANSWER_MINUTES_MAX = 5;
    private static final Set<String> OPTIONS = Set.of(
            "--master=",
            "--namespace=",
            "--older-than=",
            "--dry-run",
            "--cron",
            "--image=",
            "--schedule=",
            "--account=",
            "--json");

    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,8})([smhd])");

    private final KernelInfo kernel;
    private final BiFunction<MasterUrl, ClusterSettings, ApiServer> servers;

    @Activate
    public SweepCommand(@Reference KernelInfo kernel) {
        this(kernel, (master, settings) -> new OpenServers().open(System.getenv(), master, settings));
    }

    /** Command for the API servers that {@code servers} opens. */
    SweepCommand(KernelInfo kernel, BiFunction<MasterUrl, ClusterSettings, ApiServer> servers) {
        this.kernel = kernel;
        this.servers = servers;
    }

    /** Called by the shell. */
    @Descriptor("""
            Deletes what submitters and drivers that died have left in a namespace of Kubernetes.
            sweep [--master URL] [--namespace NAME] [--older-than TIME] [--dry-run] [--json]   TIME: 10m, that of secrets without a driver; anchors of drivers have twice as long
            sweep --cron [--image IMAGE] [--schedule CRON] [--account NAME] [--namespace NAME] [--json]   prints a job that sweeps, with its account and role
            Example: sweep --master k8s --namespace spark --dry-run""")
    public String sweep(String[] arguments) throws InterruptedException {
        CommandWords words = new CommandWords(NAME, arguments, false, OPTIONS);
        Duration age = words.value("--older-than").map(text -> age(words, text)).orElse(SweepShell.AGE);
        if (words.has("--cron")) {
            return cron(words);
        }
        for (String option : List.of("--image", "--schedule", "--account")) {
            if (words.value(option).isPresent()) {
                throw words.misused(option + " without --cron (expected: both)");
            }
        }
        Settings settings = kernel.settings();
        SettingsReader in = new SettingsReader(settings);
        ClusterSettings read = ClusterSettings.ofSubmission(in);
        in.finish();
        ClusterSettings cluster = words.value("--namespace").map(read::in).orElse(read);
        boolean dryRun = words.has("--dry-run");
        try (ApiServer server = servers.apply(master(words, settings), cluster);
                ThreadEventLoop loop =
                        new ThreadEventLoop("sweep", failure -> LOG.error("sweep of a namespace", failure))) {
            SweepResult result = await(server, loop, age, dryRun);
            String problem = result.firstProblem();
            if (!problem.isEmpty()) {
                throw ErrorCode.COMMAND_FAILED.failure(NAME + ": namespace " + server.namespace() + ": " + problem
                        + " (expected: the rights that 'kubernetes-role sweeper' prints); "
                        + result.count(SweepResult.Action.DELETED) + " objects were deleted");
            }
            return words.has("--json") ? json(result) : text(result, server.namespace(), dryRun);
        }
    }

    private static SweepResult await(ApiServer server, ThreadEventLoop loop, Duration age, boolean dryRun)
            throws InterruptedException {
        CompletableFuture<SweepResult> swept = new CompletableFuture<>();
        loop.execute(() -> new SweepShell(server, loop, age, dryRun).run().thenAccept(swept::complete));
        try {
            return swept.get(ANSWER_MINUTES_MAX, TimeUnit.MINUTES);
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, NAME);
        } catch (TimeoutException late) {
            throw ErrorCode.ASK_TIMED_OUT.failure(
                    NAME + ": namespace " + server.namespace() + ": not swept within " + ANSWER_MINUTES_MAX + " min",
                    late);
        }
    }

    private static MasterUrl master(CommandWords words, Settings settings) {
        MasterUrl master = MasterUrl.parse(words.value("--master")
                .or(() -> settings.find(MASTER).filter(url -> url.startsWith("k8s")))
                .orElse("k8s"));
        if (!ApiServerAccess.isWellFormed(master)) {
            throw words.misused("master " + master + " (expected: k8s, k8s://host:port or k8s://https://host:port)");
        }
        return master;
    }

    private static Duration age(CommandWords words, String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw words.misused("--older-than '" + text + "' (expected: a time, such as 30s, 10m, 1h or 2d)");
        }
        long amount = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static String text(SweepResult result, String namespace, boolean dryRun) {
        List<String> lines = new ArrayList<>();
        for (SweepResult.Outcome outcome : result.outcomes()) {
            lines.add(outcome.object() + ": " + (dryRun ? "would be " : "")
                    + outcome.action().words());
        }
        return lines.isEmpty() ? "nothing is left in namespace " + namespace : String.join("\n", lines);
    }

    private static String json(SweepResult result) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (SweepResult.Outcome outcome : result.outcomes()) {
            list.addObject()
                    .put("object", outcome.object())
                    .put("action", outcome.action().name());
        }
        return list.toString();
    }

    private String cron(CommandWords words) {
        String image = words.value("--image")
                .or(() -> kernel.settings().find(IMAGE))
                .orElseThrow(() -> words.misused("no image (expected: --image IMAGE, or the setting " + IMAGE + ")"));
        Optional<String> namespace = words.value("--namespace");
        String account = words.value("--account").orElse(ACCOUNT);
        List<String> arguments = new ArrayList<>(List.of("hearth", "exec", "sweep", "--master", "k8s"));
        words.value("--older-than").ifPresent(time -> arguments.addAll(List.of("--older-than", time)));
        List<ObjectNode> manifests =
                new ArrayList<>(AccountManifests.withRole(account, LeastRoles.sweeper(), namespace));
        manifests.add(AccountManifests.cronJob(
                account, words.value("--schedule").orElse(SCHEDULE), image, arguments, namespace));
        return KubernetesRoleCommand.text(manifests, words.has("--json"));
    }
}
