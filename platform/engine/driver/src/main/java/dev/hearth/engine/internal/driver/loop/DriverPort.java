package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.driver.executors.DriverSettings;
import dev.hearth.engine.internal.driver.serving.CredentialDistributor;
import dev.hearth.engine.internal.driver.serving.RemoteTaskCalls;
import dev.hearth.engine.internal.driver.serving.SerialisedStages;
import dev.hearth.engine.internal.driver.serving.ServedFiles;
import dev.hearth.engine.internal.encryption.EncryptionSettings;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassNameQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.MapOutputMigrated;
import dev.hearth.engine.internal.protocol.DriverProtocol.Progress;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskEnds;
import dev.hearth.engine.internal.protocol.EndMessages;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.Streams;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The port and the endpoint through which executors in other processes reach the driver. Opened when the cluster
 * manager first requests their address. With authentication, each application has its own secret. Owned by the driver's
 * event loop.
 */
public final class DriverPort {
    private final DriverSetup setup;
    private final DriverSettings settings;
    private final SerialisedStages stages;
    private final ServedFiles served;
    private final RemoteTaskCalls questions;
    private final ExecutorAdmission admission;
    private final Handler arrivals;
    private final CredentialDistributor credentials = new CredentialDistributor();
    private final String endpoint;
    private @Nullable RpcEnv rpc;
    private volatile @Nullable RpcAddress address; // null unless the port is open
    private @Nullable RpcScope scope;
    private Optional<Secret> applicationSecret = Optional.empty();

    /** Handles the messages that registered executors send to the driver's port. Called on the driver's event loop. */
    interface Handler {
        void tasksEnded(ExecutorId executor, Peer peer, List<TaskEnd> ends);

        /**
         * Records that a message of an executor has arrived. Returns true if the executor is live and the message came
         * over that executor's own connection. Otherwise the process that sent the message is ordered to stop.
         */
        boolean isLive(ExecutorId executor, Peer peer);

        void progressed(Progress message, Peer peer);

        void blockChanged(BlockChanged message, long peer);

        void copied(BlockReplicated message, long peer);

        void copied(MapOutputMigrated message, long peer);

        void peerLost(long peer, String reason);
    }

    DriverPort(
            DriverSetup setup,
            DriverSettings settings,
            SerialisedStages stages,
            ServedFiles served,
            RemoteTaskCalls questions,
            ExecutorAdmission admission,
            Handler arrivals) {
        this.setup = setup;
        this.settings = settings;
        this.stages = stages;
        this.served = served;
        this.questions = questions;
        this.admission = admission;
        this.arrivals = arrivals;
        this.endpoint = "driver-" + setup.number();
    }

    boolean isOpen() {
        return rpc != null;
    }

    void open() {
        served.freeze(); // done first, because it may fail
        RpcSettings listening = RpcSettings.listening(setup.settings(), settings.driverPort());
        RpcEnv opened = setup.rpc().apply(listening);
        rpc = opened;
        address = opened.address().orElse(null);
        stages.bound(listening.limits().messageBytesMax());
        applicationSecret = listening.security().secretForTasks(setup.settings());
        EncryptionSettings.from(setup.settings())
                .warnOnPlainConnections(listening.security().encrypted());
        RpcScope opening = applicationSecret.isPresent() ? opened.scope(endpoint, applicationSecret) : opened;
        scope = opening;
        opening.register(endpoint, DriverProtocol.PROTOCOL, setup.loop(), receiver());
        served.serve(opening.streams());
    }

    /** The address at which the port is open; empty if the driver has no port. Thread-safe. */
    Optional<RpcAddress> address() {
        return Optional.ofNullable(address);
    }

    /** The RPC environment in which the port is open. Fails if the port is not open yet. */
    RpcEnv env() {
        if (rpc == null) {
            throw new IllegalStateException("driver: its port is not open (expected: opened before)");
        }
        return rpc;
    }

    /**
     * The bulk data streams between the driver and the executors of this application. Fails if the port is not open
     * yet.
     */
    Streams streams() {
        RpcScope opened = scope;
        if (opened == null) {
            throw new IllegalStateException("driver: its port is not open (expected: opened before)");
        }
        return opened.streams();
    }

    /** Opens a further scope of this application, with the secret of the application. */
    RpcScope scope(String name) {
        return env().scope(name, applicationSecret);
    }

    EndpointUri uri() {
        return new EndpointUri(
                endpoint,
                env().address()
                        .orElseThrow(() ->
                                new IllegalStateException("driver: its RpcEnv does not listen (expected: listening)")));
    }

    /**
     * The settings that executors receive. They contain the secret of this application, and not the secret of the
     * cluster, which executors must not know.
     */
    Settings executorSettings() {
        return RpcSecurity.forTasks(setup.settings(), applicationSecret);
    }

    /** Sets the credentials of one kind, which all executors receive. */
    void credentials(String kind, Bytes content) {
        setup.loop().requireInLoop();
        credentials.set(kind, content);
    }

    void close() {
        if (rpc != null) {
            rpc.close();
        }
    }

    private Receiver receiver() {
        return Receiver.of(endpoint)
                .answer(Register.class, (message, peer) -> admission.register(message, peer, credentials))
                .on(
                        TaskEnds.class,
                        (message, peer) -> arrivals.tasksEnded(
                                message.executor(),
                                peer,
                                message.ends().stream().map(EndMessages::end).toList()))
                .answerLater(
                        CodeQuestion.class,
                        (message, peer) -> admission.code(message).thenApply(answer -> answer))
                .answerLater(
                        CommitQuestion.class,
                        (message, peer) -> arrivals.isLive(message.executor(), peer)
                                ? questions.commit(message)
                                : RemoteTaskCalls.noCommit())
                .answerLater(
                        BarrierWaitQuestion.class,
                        (message, peer) -> arrivals.isLive(message.executor(), peer)
                                ? questions.meeting(message)
                                : RemoteTaskCalls.givenUp(message.executor()))
                .answerLater(
                        AddressesQuestion.class,
                        (message, peer) -> arrivals.isLive(message.executor(), peer)
                                ? questions.addresses(message)
                                : RemoteTaskCalls.givenUp(message.executor()))
                .answerLater(BroadcastQuestion.class, (message, peer) -> questions.broadcast(message))
                .answer(ClassQuestion.class, (message, peer) -> questions.number(message))
                .answer(ClassNameQuestion.class, (message, peer) -> questions.name(message))
                .on(BlockChanged.class, (message, peer) -> arrivals.blockChanged(message, peer.id()))
                .on(BlockReplicated.class, (message, peer) -> arrivals.copied(message, peer.id()))
                .on(MapOutputMigrated.class, (message, peer) -> arrivals.copied(message, peer.id()))
                .on(Heartbeat.class, (message, peer) -> arrivals.isLive(message.executor(), peer))
                .on(Progress.class, arrivals::progressed)
                .onPeerLost((peer, reason) -> {
                    credentials.lost(peer.id());
                    arrivals.peerLost(peer.id(), reason);
                })
                .build();
    }
}
