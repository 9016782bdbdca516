package dev.hearth.kubernetes.internal.rehearsal;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what a submitter and a driver do, once, at a server of this process, so that their classes and those of Java are
 * loaded, for the archive of classes. Contacts no cluster, and creates nothing but two temporary files. Stateless.
 */
public final class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final MasterUrl MASTER = MasterUrl.parse("k8s");
    private static final String NAME = "rehearsal";
    private static final int EXECUTORS = 2;

    private Rehearsal() {}

    /** Rehearses with the manager of a process that has the variables which are passed to {@code managers}. */
    public static void run(Function<Map<String, String>, ClusterManager> managers)
            throws IOException, GeneralSecurityException, InterruptedException, ExecutionException, TimeoutException {
        Path directory = Files.createTempDirectory("hearth-rehearsal-");
        Path kubeconfig = directory.resolve("config");
        try (LoopbackCluster cluster = LoopbackCluster.start();
                ThreadEventLoop loop = new ThreadEventLoop(NAME, failure -> LOG.debug(NAME, failure))) {
            Files.writeString(kubeconfig, cluster.kubeconfig());
            ClusterManager manager =
                    managers.apply(Map.of("KUBECONFIG", kubeconfig.toString(), "HOME", directory.toString()));
            submit(manager, loop, directory);
            drive(manager, loop);
        } finally {
            Files.deleteIfExists(kubeconfig);
            Files.deleteIfExists(directory);
        }
    }

    private static Settings settings(ClusterManager manager) {
        return Settings.empty()
                .with(NAME, manager.defaults(MASTER))
                .with(NAME, "hearth.kubernetes.container.image", NAME);
    }

    /** Submits an application and follows it to its end. */
    private static void submit(ClusterManager manager, ThreadEventLoop loop, Path directory)
            throws InterruptedException, ExecutionException, TimeoutException {
        Settings settings = settings(manager);
        RehearsedSubmission submission = new RehearsedSubmission(loop, settings, directory);
        SubmissionPlan plan = SubmissionPlan.builder(NAME, "Main")
                .add(SubmissionResource.Kind.APPLICATION_JAR, "local:///application.jar")
                .settings(settings)
                .build();
        await(on(loop, () -> manager.submit(plan, MASTER, submission, submission)));
        LOG.debug("{}: {}", NAME, await(submission.ended()));
    }

    /** Opens the backend of an application, until an executor runs, and closes it. */
    private static void drive(ClusterManager manager, ThreadEventLoop loop)
            throws InterruptedException, ExecutionException, TimeoutException {
        Settings settings = settings(manager);
        RehearsedDriver driver = new RehearsedDriver(loop, settings);
        SchedulerBackend backend =
                await(on(loop, () -> manager.open(new ApplicationSpec(NAME, settings), MASTER, driver)));
        loop.execute(() -> backend.want(Map.of(ProfileId.DEFAULT, Demand.of(EXECUTORS)), Set.of()));
        LOG.debug("{}: executor {} runs", NAME, await(driver.started()));
        await(on(loop, () -> backend.close(ApplicationResult.FINISHED)));
    }

    private static <T> CompletionStage<T> on(ThreadEventLoop loop, Supplier<CompletionStage<T>> call) {
        return CompletableFuture.supplyAsync(call, loop).thenCompose(Function.identity());
    }

    private static <T> T await(CompletionStage<T> result)
            throws InterruptedException, ExecutionException, TimeoutException {
        return result.toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }
}
