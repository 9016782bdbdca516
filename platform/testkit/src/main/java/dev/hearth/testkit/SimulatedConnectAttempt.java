package dev.hearth.testkit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Secret;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Attempt to connect to a scope of another process, which either succeeds or fails, and does so only once. */
final class SimulatedConnectAttempt {
    private final SimulatedScope from;
    private final RpcAddress address;
    private final Consumer<SimulatedScope> accepted;
    private final Consumer<HearthException> refused;
    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private EventLoop.Timeout timer = () -> {};
    private boolean done;

    /**
     * {@code accepted} runs in the listening process and sends the answer, whose arrival must cause a call of {@link
     * #succeed}. If the attempt fails, {@code refused} gets the failure instead.
     */
    SimulatedConnectAttempt(
            SimulatedScope from,
            RpcAddress address,
            Consumer<SimulatedScope> accepted,
            Consumer<HearthException> refused) {
        this.from = from;
        this.address = address;
        this.accepted = accepted;
        this.refused = refused;
        this.network = from.env().network();
        this.process = from.process();
    }

    void begin() {
        Duration bound = from.env().settings().times().connect();
        timer = process.schedule(bound, () -> unreachable("no answer within " + bound.toMillis() + " ms", NETWORK));
        network.simulation().schedule(network.delay(process, process), this::knock);
    }

    /**
     * Ends the attempt as successful, because the answer of the listening process has arrived. Returns false if the
     * attempt has already ended, for example by its timeout.
     */
    boolean succeed() {
        boolean waited = finish();
        timer.cancel();
        return waited;
    }

    void unreachable(String what, String remedy) {
        fail(
                ErrorCode.PEER_UNREACHABLE,
                address + ": " + what + " (expected: a Hearth process that listens there)" + remedy);
    }

    void closedHere() {
        fail(
                ErrorCode.PEER_UNREACHABLE,
                "connection from " + from + " to " + address
                        + ": this side closed before the connection was established (expected: an open scope until"
                        + " then)");
    }

    static final String NETWORK = "; check the network between the two processes";

    private void knock() {
        if (done || network.isDark(process, address)) {
            return;
        }
        SimulatedEnv there = network.listener(address);
        if (there == null) {
            back(() -> unreachable("connection refused", "; check the address, and that it runs"));
            return;
        }
        Duration bound = from.env().settings().times().handshake();
        timer.cancel(); // the connection exists: only the handshake timeout applies from now on
        timer = process.schedule(
                bound, () -> unreachable("no end of the handshake within " + bound.toMillis() + " ms", NETWORK));
        there.process().happen(() -> arrive(there));
    }

    private void arrive(SimulatedEnv there) {
        if (!there.open()) {
            back(() -> unreachable("connection refused", "; check the address, and that it runs"));
            return;
        }
        if (done) {
            return; // the attempt ended before the listening process handled it
        }
        Optional<SimulatedScope> scope = there.findScope(from.name());
        if (scope.isEmpty()) {
            there.refusals().unknownScope++;
            back(() -> fail(
                    from.secret().isPresent() ? ErrorCode.NOT_AUTHENTICATED : ErrorCode.NO_ENDPOINT,
                    address + ": scope '" + from.name() + "': no scope of that name (expected: an open scope); has"
                            + " its application ended, or is this the address of another process?"));
        } else if (!admits(scope.get().secret(), from.secret())) {
            there.refusals().notAuthenticated++;
            back(() -> fail(
                    ErrorCode.NOT_AUTHENTICATED,
                    address + ": scope " + from.name() + ": no proof of one secret on both sides (expected: the same"
                            + " secret, or none on both); check hearth.authenticate and its secret"));
        } else {
            accepted.accept(scope.get());
        }
    }

    private static boolean admits(Optional<Secret> theirs, Optional<Secret> ours) {
        return theirs.equals(ours);
    }

    private void back(Runnable word) {
        network.simulation().schedule(network.delay(process, process), () -> process.happen(word));
    }

    private void fail(ErrorCode code, String message) {
        timer.cancel();
        if (finish()) {
            refused.accept(code.failure(message));
        }
    }

    private boolean finish() {
        boolean first = !done;
        done = true;
        from.finished(this);
        return first;
    }
}
