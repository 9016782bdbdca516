package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.kubernetes.internal.executors.ExecutorPods;
import dev.hearth.kubernetes.internal.executors.HostWishes;
import dev.hearth.kubernetes.internal.following.FollowingShell;
import dev.hearth.kubernetes.internal.placement.VersionQuery;
import dev.hearth.kubernetes.internal.pod.ApplicationPods;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.DriverPodSettings;
import dev.hearth.kubernetes.internal.pod.LeastRoles;
import dev.hearth.kubernetes.internal.pod.ManifestText;
import dev.hearth.kubernetes.internal.pod.PodSettings;
import dev.hearth.kubernetes.internal.sweep.SweepResult;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One submission in cluster mode: reads the files, creates the objects, follows the driver. Owned by the submitter's event
 * loop; files are read on the executor for blocking calls. Used once.
 */
public final class Submitter {
    private static final Logger LOG = LoggerFactory.getLogger(Submitter.class);

    private static final String SECRET_UID = "UID-OF-THE-SECRET"; // in a dry run
    private static final int DRIVER_PORT = 7078;

    private final SubmissionPlan plan;
    private final SubmissionServices services;
    private final SubmissionListener listener;
    private final Function<SubmissionSettings, ApiServer> servers;
    private final Randomness randomness;
    private final String version;
    private final CompletableFuture<SubmissionId> accepted = new CompletableFuture<>();
    private boolean stopped;

    /** Source of random texts: 32 hexadecimal digits for names, and the proof of the submitter. */
    public record Randomness(String name, String proof) {}

    /** {@code servers} opens the API server, which may block; the submitter closes it. */
    public Submitter(
            SubmissionPlan plan,
            SubmissionServices services,
            SubmissionListener listener,
            Function<SubmissionSettings, ApiServer> servers,
            Randomness randomness,
            String version) {
        this.plan = plan;
        this.services = services;
        this.listener = listener;
        this.servers = servers;
        this.randomness = randomness;
        this.version = version;
    }

    /** Facts that are known once the files are read and the API server is found. */
    private record Prepared(DriverLaunch launch, SubmissionSettings settings, Optional<ApiServer> server) {}

    /** Submits the application. Call it on the loop, on which the result completes. */
    public CompletionStage<SubmissionId> submit() {
        listener.ownProgress();
        SettingsReader in = new SettingsReader(plan.settings());
        SubmissionSettings settings = SubmissionSettings.read(in);
        in.finish();
        services.stopped().thenRun(() -> stopped = true);
        CompletionStage<Prepared> prepares =
                CompletableFuture.supplyAsync(() -> prepare(settings), services.blocking());
        prepares.whenComplete((prepared, failure) -> services.loop().execute(() -> {
            if (failure == null) {
                begin(prepared);
            } else {
                accepted.completeExceptionally(Failures.unwrap(failure));
            }
        }));
        return accepted;
    }

    private Prepared prepare(SubmissionSettings settings) {
        if (settings.dryRun()) {
            String namespace = settings.cluster().namespace().orElse("default");
            return new Prepared(launch(settings, files(settings), namespace), settings, Optional.empty());
        }
        ApiServer server = servers.apply(settings); // first, as it connects while the files are read
        try {
            return new Prepared(launch(settings, files(settings), server.namespace()), settings, Optional.of(server));
        } catch (RuntimeException refused) {
            server.close();
            throw refused;
        }
    }

    private DriverFilesReader.Found files(SubmissionSettings settings) {
        return new DriverFilesReader(
                        services,
                        settings.carriedBytesMax(),
                        line -> services.loop().execute(() -> listener.said("warning: " + line)))
                .read(plan);
    }

    private DriverLaunch launch(SubmissionSettings settings, DriverFilesReader.Found found, String namespace) {
        ApplicationPods.Identity identity = DriverObjects.identity(
                plan.name(), randomness.name(), System.getProperty("user.name", "hearth"), version);
        return DriverLaunch.of(
                plan,
                new DriverLaunch.Origin(
                        identity,
                        namespace,
                        settings,
                        found,
                        DriverFilesReader.credentials(settings.driver()),
                        DriverFilesReader.templates(plan.settings()),
                        randomness.proof()));
    }

    private void begin(Prepared prepared) {
        if (prepared.server().isEmpty()) {
            print(prepared.launch(), prepared.settings());
            return;
        }
        ApiServer server = prepared.server().get();
        CompletionStage<ServerVersion> version =
                prepared.settings().pod().additions().hasClaims()
                        ? VersionQuery.ask(server, services.loop())
                        : CompletableFuture.completedFuture(ServerVersion.NEWEST);
        version.thenAccept(known -> begin(prepared, server, known));
    }

    private void begin(Prepared prepared, ApiServer server, ServerVersion version) {
        DriverLaunch launch = prepared.launch();
        SubmissionShell shell = new SubmissionShell(
                server,
                services.loop(),
                launch.objects(),
                version,
                new Submission.Times(
                        prepared.settings().timeout(), prepared.settings().quotaTimeout()),
                listener::said);
        shell.begin().whenComplete((podUid, failure) -> {
            if (failure == null) {
                follow(prepared, server, podUid);
            } else {
                server.close();
                accepted.completeExceptionally(Failures.unwrap(failure));
            }
        });
        if (stopped) {
            shell.stop();
        } else {
            services.stopped().thenRun(shell::stop);
        }
    }

    private void follow(Prepared prepared, ApiServer server, String podUid) {
        DriverLaunch launch = prepared.launch();
        ApplicationPods.Identity identity = launch.objects().identity();
        boolean sends = !launch.uploads().isEmpty();
        boolean waits = prepared.settings().waits();
        if (!waits && !sends) {
            server.close();
            deployed(launch);
            return;
        }
        SubmissionListener told = sends ? new Sending(launch, server, waits) : listener;
        if (waits) {
            accepted.complete(launch.submission());
            sweep(server);
        }
        new FollowingShell(
                        server,
                        services.loop(),
                        new FollowingShell.Driver(
                                identity.name(),
                                identity.application().value(),
                                launch.submission(),
                                launch.objects().podName(),
                                podUid,
                                launch.objects().selector()),
                        new FollowingShell.Times(
                                prepared.settings().imageTimeout(),
                                prepared.settings().report(),
                                prepared.settings().followTimeout(),
                                prepared.settings().pod().supervise()),
                        told)
                .begin();
    }

    /** Deletes what submitters that died have left in the namespace. */
    private void sweep(ApiServer server) {
        new SweepShell(server, services.loop(), SweepShell.AGE).run().thenAccept(result -> {
            long adopted = result.count(SweepResult.Action.ADOPTED);
            long deleted = result.count(SweepResult.Action.DELETED);
            if (adopted + deleted > 0) {
                listener.said("left by earlier applications: " + deleted + " objects deleted, " + adopted
                        + " secrets given to their drivers");
            }
            if (!result.firstProblem().isEmpty()) { // the account need not have the right
                LOG.debug("sweep of namespace {}: {}", server.namespace(), result.firstProblem());
            }
        });
    }

    private void deployed(DriverLaunch launch) {
        ApplicationPods.Identity identity = launch.objects().identity();
        listener.said("Deployed Spark application " + identity.name() + " with application ID " + identity.application()
                + " and submission ID " + launch.submission() + " into Kubernetes");
        accepted.complete(launch.submission());
    }

    /** Sends the files as soon as the driver runs. Without a wait for its end, the submission is accepted afterwards. */
    private final class Sending implements SubmissionListener {
        private final DriverLaunch launch;
        private final ApiServer server;
        private final boolean waits;
        private boolean sending;
        private boolean sent;
        private SubmissionState state = SubmissionState.SUBMITTED;

        Sending(DriverLaunch launch, ApiServer server, boolean waits) {
            this.launch = launch;
            this.server = server;
            this.waits = waits;
        }

        @Override
        public void changed(SubmissionStatus status) {
            if (waits) {
                listener.changed(status);
            }
            state = status.state();
            if (state == SubmissionState.RUNNING && !sending && !sent) {
                sending = true;
                new FileUpload(server, services, listener, launch.objects().podName(), launch.uploads(), launch.proof())
                        .begin()
                        .whenComplete((nothing, failure) -> sent(failure));
            } else if (status.state().isFinal() && !waits) {
                accepted.completeExceptionally(
                        ErrorCode.SUBMISSION_REFUSED.failure("driver " + status.submission() + ": "
                                + status.state() + " before its files were sent: " + status.message()
                                + " (expected: a driver that waits for them)"));
            }
        }

        private void sent(@Nullable Throwable failure) {
            sending = false;
            sent = failure == null;
            if (failure != null && state == SubmissionState.RELAUNCHING) {
                return; // they are sent when the driver runs again, which keeps what it has
            }
            if (failure != null && waits) {
                listener.said("error: " + Failures.describe(failure));
                server.delete(
                        Resource.POD,
                        launch.objects().podName(),
                        Optional.empty(),
                        OptionalInt.empty(),
                        answer -> {}); // the mirror sees that it is gone
            } else if (failure != null) {
                accepted.completeExceptionally(Failures.unwrap(failure));
            } else if (!waits) {
                deployed(launch);
            }
        }

        @Override
        public void said(String line) {
            if (waits) {
                listener.said(line);
            }
        }

        @Override
        public void lost(String reason) {
            if (waits) {
                listener.lost(reason);
            } else {
                accepted.completeExceptionally(ErrorCode.CLUSTER_LOST.failure("submission: " + reason));
            }
        }
    }

    /** Prints a manifest that is no part of the submission. */
    private void comment(String title, String manifest) {
        listener.wrote("# " + title + "\n");
        manifest.lines().forEach(line -> listener.wrote("# " + line + "\n"));
    }

    /** The pods of executors as the driver will request them, but for its address and its secret. */
    private ExecutorPods samplePods(DriverLaunch launch) {
        return new ApplicationPods(
                launch.objects().identity(),
                PodSettings.ofExecutors(plan.settings()),
                ExecutorProfile.of(plan.settings()),
                new EndpointUri("driver", new RpcAddress("192.0.2.1", DRIVER_PORT)),
                plan.settings().values());
    }

    /** Prints what the driver will create for its first executor. */
    private void printExecutor(DriverLaunch launch, SubmissionSettings settings, ExecutorPods executors) {
        Owner driver = new Owner("Pod", launch.objects().podName(), "UID-OF-THE-DRIVER");
        Map<String, String> names = new LinkedHashMap<>();
        executors.claims().ifPresent(claims -> {
            for (ClaimSpec spec : claims.specs(settings.pod().claims().mode(ServerVersion.NEWEST))) {
                long number = names.size() + 1L;
                names.put(spec.volume(), claims.name(number));
                comment(
                        "A claim that the driver creates for volume " + spec.volume() + ":",
                        ManifestText.of(claims.claim(number, 1, spec, driver)));
            }
        });
        comment(
                "The pod of the first executor, which the driver creates:",
                ManifestText.of(executors.pod(1, 1, driver, HostWishes.NONE, names)));
    }

    /** Prints the objects instead of creating them. */
    private void print(DriverLaunch launch, SubmissionSettings settings) {
        List<ApiObject> objects = new ArrayList<>(
                List.of(launch.objects().secret(), launch.objects().pod()));
        objects.addAll(1, launch.objects().claims(SECRET_UID, ServerVersion.NEWEST));
        objects.addAll(launch.objects().dependents(SECRET_UID));
        objects.forEach(object -> listener.wrote(ManifestText.of(object)));
        DriverPodSettings pod = settings.pod();
        Optional<ClaimSettings> executorsClaim = Optional.empty();
        if (!settings.isLocal()) {
            ExecutorPods executors = samplePods(launch);
            executorsClaim = executors.claims().map(claims -> pod.claims());
            printExecutor(launch, settings, executors);
        }
        comment(
                "The least role of the driver's account:",
                LeastRoles.ofDriver(settings.deletesService() && pod.service().exists(), executorsClaim));
        comment(
                "The least role of the submitter:",
                LeastRoles.ofSubmitter(
                        !launch.uploads().isEmpty(),
                        pod.service().exists(),
                        pod.networkPolicy(),
                        pod.additions().hasClaims()));
        listener.said("dry run: nothing was created");
        accepted.complete(launch.submission());
        services.loop()
                .execute(() -> listener.changed(new SubmissionStatus(
                        launch.submission(), SubmissionState.FINISHED, "", "dry run", OptionalInt.of(0), "", "")));
    }
}
