package dev.hearth.standalone.internal.client;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ClearDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversCleared;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WatchDriver;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol.DriverChanged;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Client of a master for one submission. Either submits a driver and watches its state, or queries or kills a driver
 * submitted earlier. Owned by the submitter's event loop. Lives until the driver has ended, or the master was lost and has not returned.
 */
public final class StandaloneSubmitter {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    /** Read by submitters that wait for their drivers. */
    public static final SettingKey<Duration> MASTER_WAIT = SettingKey.duration(
            "hearth.standalone.submit.masterWait",
            Duration.ofSeconds(30),
            Duration.ZERO,
            "How long a submission that waits for its driver tries to reach a master again, before it reports the loss.");

    private static final Duration RETURN_PAUSE = Duration.ofMillis(500);

    private final List<RpcAddress> masters;
    private final String masterText;
    private final RpcEnv rpc;
    private final EventLoop loop;
    private final Duration answerTimeout;
    private final Duration masterWait;
    private final Duration searchTimeout;
    private final SubmissionServices services;
    private final Supplier<BundleSet> frozen;
    private @Nullable MasterConnection connection;
    private @Nullable SubmissionId submission; // set once the master has accepted the submission
    private @Nullable SubmissionStatus heard; // the last status

    public StandaloneSubmitter(MasterUrl master, SubmissionServices services) {
        this(master, services, () -> BundleSet.NONE);
    }

    /** As above, for submissions whose drivers start the bundles {@code frozen}, which may take long to make. */
    StandaloneSubmitter(MasterUrl master, SubmissionServices services, Supplier<BundleSet> frozen) {
        this.frozen = frozen;
        this.masters = MasterAddresses.parse(master);
        this.services = services;
        this.masterText = master.text();
        this.rpc = services.rpc();
        this.loop = services.loop();
        SettingsReader in = new SettingsReader(services.settings());
        this.masterWait = in.read(MASTER_WAIT);
        in.finish();
        this.searchTimeout = MasterSearch.timeout(services.settings());
        this.answerTimeout = RpcTimes.ask(services.settings(), ANSWER_TIMEOUT);
    }

    /**
     * Submits the driver of {@code plan} to the master. A retry with the same id {@code request} starts no second
     * driver. {@code listener} receives the changes of the driver's state.
     */
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan, String request, SubmissionListener listener) {
        DriverSpec.of(plan); // fails before files are sent
        CompletableFuture<SubmissionId> accepted = new CompletableFuture<>();
        // unique name, because one RPC environment may serve several submissions
        String endpoint = "submitter-" + request;
        MasterConnection opening = new MasterConnection(
                rpc.register(endpoint, SubmitterProtocol.PROTOCOL, loop, watcher(endpoint, listener)));
        connection = opening;
        new SubmissionAttempts<>(
                        loop,
                        masters,
                        searchTimeout,
                        () -> MasterSearch.once(rpc, loop, masters)
                                .thenCompose(found -> send(opening, found, plan, request, listener, endpoint)))
                .run()
                .whenComplete((answer, failure) -> loop.inOrder(() -> {
                    if (failure == null) {
                        submission = answer.submission();
                        accepted.complete(answer.submission());
                    } else {
                        opening.close();
                        accepted.completeExceptionally(Failures.unwrap(failure));
                    }
                }));
        return accepted;
    }

    private CompletionStage<DriverSubmitted> send(
            MasterConnection opening,
            MasterSearch.Found master,
            SubmissionPlan plan,
            String request,
            SubmissionListener listener,
            String endpoint) {
        opening.connected(master.peer());
        return new FileUploads(services, master, masters, answerTimeout, listener)
                .send(plan, frozen)
                .thenCompose(sent -> MasterConnection.endpointOf(master.peer())
                        .ask(
                                new SubmitDriver(
                                        request, DriverSpec.of(sent.plan()).with(sent.bundles()), endpoint),
                                DriverSubmitted.class,
                                answerTimeout))
                .whenComplete((answer, failure) -> closeAfter(failure, master.peer()));
    }

    /** Closes the connection to a master that has failed a request, as the next attempt may find another master. */
    private static void closeAfter(@Nullable Throwable failure, Peer peer) {
        if (failure != null) {
            peer.close();
        }
    }

    public CompletionStage<SubmissionStatus> status(SubmissionId submission) {
        return askOnce(new FindDriver(submission), DriverFound.class)
                .thenApply(answer -> answer.status().shown());
    }

    CompletionStage<Integer> clear() {
        return askOnce(new ClearDrivers(), DriversCleared.class).thenApply(DriversCleared::drivers);
    }

    public CompletionStage<SubmissionStatus> kill(SubmissionId submission) {
        return askOnce(new KillDriver(submission), DriverFound.class)
                .thenApply(answer -> answer.status().shown());
    }

    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        return askOnce(new FindDrivers(pattern.text()), DriversFound.class).thenApply(StandaloneClient::shown);
    }

    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        return askOnce(new KillDrivers(pattern.text()), DriversFound.class).thenApply(StandaloneClient::shown);
    }

    private <T extends Record> CompletionStage<T> askOnce(Record question, Class<T> answer) {
        return new SubmissionAttempts<>(
                        loop,
                        masters,
                        searchTimeout,
                        () -> connect()
                                .thenCompose(peer -> MasterConnection.endpointOf(peer)
                                        .ask(question, answer, answerTimeout)
                                        .whenComplete((found, failure) -> peer.close())))
                .run();
    }

    private CompletionStage<Peer> connect() {
        return MasterSearch.once(rpc, loop, masters).thenApply(MasterSearch.Found::peer);
    }

    private Receiver watcher(String endpoint, SubmissionListener listener) {
        return Receiver.of(endpoint)
                .on(
                        DriverChanged.class,
                        (message, peer) -> changed(message.status().shown(), listener))
                .onPeerLost((peer, reason) -> {
                    MasterConnection lost = connection;
                    if (lost != null && lost.isConnectedTo(peer) && submission != null) {
                        lost.lost();
                        long until = loop.ticker().nanos() + masterWait.toNanos();
                        watchAgain(new Return(lost, submission, endpoint, listener, reason, until));
                    }
                })
                .build();
    }

    private void changed(SubmissionStatus status, SubmissionListener listener) {
        if (!status.equals(heard)) {
            heard = status;
            listener.changed(status);
        }
        if (status.state().isFinal() && connection != null) {
            connection.close();
        }
    }

    /** Wait for a master after the loss of the connection for {@code reason}, until {@code untilNanos}. */
    private record Return(
            MasterConnection connection,
            SubmissionId submission,
            String endpoint,
            SubmissionListener listener,
            String reason,
            long untilNanos) {}

    private void watchAgain(Return waits) {
        connect()
                .thenCompose(peer -> MasterConnection.endpointOf(peer)
                        .ask(new WatchDriver(waits.submission(), waits.endpoint()), DriverFound.class, answerTimeout)
                        .thenApply(answer -> new Watched(peer, answer))
                        .whenComplete((watched, failure) -> closeAfter(failure, peer)))
                .whenComplete((watched, failure) -> loop.inOrder(() -> {
                    if (failure == null) {
                        waits.connection().connected(watched.peer());
                        changed(watched.answer().status().shown(), waits.listener());
                    } else if (!mayPass(failure) || loop.ticker().nanos() - waits.untilNanos() >= 0) {
                        giveUp(waits, failure);
                    } else {
                        loop.schedule(RETURN_PAUSE, () -> watchAgain(waits));
                    }
                }));
    }

    /**
     * Whether a failure to watch the driver again may pass: no master answers, or the one that does has been suspended,
     * takes itself for the leader for a moment, and does not know what its successor has accepted.
     */
    private boolean mayPass(Throwable failure) {
        ErrorCode code = Failures.code(failure);
        return code.category() == ErrorCategory.EXTERNAL
                || (masters.size() > 1 && code == ErrorCode.SUBMISSION_UNKNOWN);
    }

    /** Connection to a master that reports the changes of the driver again. */
    private record Watched(Peer peer, DriverFound answer) {}

    private void giveUp(Return waits, Throwable failure) {
        waits.connection().close();
        waits.listener()
                .lost("master " + masterText + " is lost: " + waits.reason() + "; then: " + Failures.describe(failure)
                        + "; the outcome of " + waits.submission()
                        + " is unknown; ask for its state with submit --status");
    }
}
