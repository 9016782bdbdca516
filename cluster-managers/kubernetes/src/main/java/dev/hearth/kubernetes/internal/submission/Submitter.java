package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.following.FollowingShell;
import dev.hearth.kubernetes.internal.pod.ApplicationPods;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.DriverPodSettings;
import dev.hearth.kubernetes.internal.pod.LeastRoles;
import dev.hearth.kubernetes.internal.pod.ManifestText;
import dev.hearth.kubernetes.internal.sweep.SweepResult;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.List;
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
        DriverFilesReader.Found found = new DriverFilesReader(
                        services, line -> services.loop().execute(() -> listener.said("warning: " + line)))
                .read(plan);
        if (settings.dryRun()) {
            String namespace = settings.cluster().namespace().orElse("default");
            return new Prepared(launch(settings, found, namespace), settings, Optional.empty());
        }
        ApiServer server = servers.apply(settings);
        try {
            return new Prepared(launch(settings, found, server.namespace()), settings, Optional.of(server));
        } catch (RuntimeException refused) {
            server.close();
            throw refused;
        }
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
                        randomness.proof()));
    }

    private void begin(Prepared prepared) {
        DriverLaunch launch = prepared.launch();
        if (prepared.server().isEmpty()) {
            print(launch, prepared.settings());
            return;
        }
        ApiServer server = prepared.server().get();
        SubmissionShell shell = new SubmissionShell(
                server,
                services.loop(),
                launch.objects(),
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

    /** Prints the objects instead of creating them. */
    private void print(DriverLaunch launch, SubmissionSettings settings) {
        List<ApiObject> objects = new ArrayList<>(
                List.of(launch.objects().secret(), launch.objects().pod()));
        objects.addAll(launch.objects().dependents("UID-OF-THE-SECRET"));
        objects.forEach(object -> listener.wrote(ManifestText.of(object)));
        DriverPodSettings pod = settings.pod();
        comment(
                "The least role of the driver's account:",
                LeastRoles.ofDriver(settings.deletesService() && pod.service().exists()));
        comment(
                "The least role of the submitter:",
                LeastRoles.ofSubmitter(
                        !launch.uploads().isEmpty(), pod.service().exists(), pod.networkPolicy()));
        listener.said("dry run: nothing was created");
        accepted.complete(launch.submission());
        services.loop()
                .execute(() -> listener.changed(new SubmissionStatus(
                        launch.submission(), SubmissionState.FINISHED, "", "dry run", OptionalInt.of(0), "", "")));
    }
}
