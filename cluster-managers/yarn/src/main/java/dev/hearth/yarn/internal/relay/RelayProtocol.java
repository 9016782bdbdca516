package dev.hearth.yarn.internal.relay;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.HostChange;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashSet;
import java.util.List;

/** Messages between a driver and its relay. Those with a number are repeated until they are acknowledged. */
final class RelayProtocol {
    /** Scope of both processes in which they speak. */
    static final String SCOPE = "yarn-relay";
    /** Endpoint of the driver. */
    static final String DRIVER = "yarn-driver";
    /** Endpoint of the relay. */
    static final String RELAY = "yarn-relay";

    static final Protocol PROTOCOL = Protocol.named("yarn-relay", MethodHandles.lookup())
            .message(1, RelayHello.class)
            .message(2, RelayWelcome.class)
            .message(3, RelayAck.class)
            .message(4, RelayReported.class)
            .message(5, RelayStarted.class)
            .message(6, RelayStartFailed.class)
            .message(7, RelayInterrupted.class)
            .message(8, RelayLost.class)
            .message(9, RelayFinished.class)
            .message(10, RelayRequest.class)
            .message(11, RelayStart.class)
            .message(12, RelayStop.class)
            .message(13, RelayUrl.class)
            .message(14, RelayFinish.class)
            .message(15, RelayBeat.class)
            .message(16, RelayRegistered.class)
            .build();

    private RelayProtocol() {}

    /** Message that is repeated until it is acknowledged. */
    interface Numbered {
        /** Number of the message among those of its sender, from 1. */
        long number();
    }

    /**
     * First message of a relay on a connection: its attempt, what it has registered, the last number that it has received, and
     * the last that it has sent.
     */
    record RelayHello(int attempt, String container, LineRegistration registration, long received, long sent) {}

    /** Answer to a {@link RelayHello}: the last number that the driver has received. */
    record RelayWelcome(long received) {}

    /** Everything up to {@code number} has arrived. */
    record RelayAck(long number) {}

    /** Report of the ResourceManager. */
    record RelayReported(
            long number,
            List<GrantedContainer> granted,
            List<EndedContainer> ended,
            List<HostChange> changes,
            List<String> strict,
            List<String> negotiable,
            ContainerCapability headroom,
            int nodes)
            implements Numbered {
        static RelayReported of(long number, LineReport report) {
            return new RelayReported(
                    number,
                    report.granted(),
                    report.ended(),
                    report.changes(),
                    List.copyOf(report.preemption().strict()),
                    List.copyOf(report.preemption().negotiable()),
                    report.headroom(),
                    report.nodes());
        }

        LineReport report() {
            return new LineReport(
                    granted,
                    ended,
                    changes,
                    new PreemptionNotice(new LinkedHashSet<>(strict), new LinkedHashSet<>(negotiable)),
                    headroom,
                    nodes);
        }
    }

    record RelayRegistered(long number, LineRegistration registration) implements Numbered {}

    record RelayStarted(long number, String container) implements Numbered {}

    record RelayStartFailed(long number, String container, String why) implements Numbered {}

    record RelayInterrupted(long number, String why) implements Numbered {}

    record RelayLost(long number, ErrorCode code, String why) implements Numbered {}

    /** The ResourceManager knows that the application has ended. */
    record RelayFinished(long number) implements Numbered {}

    record RelayRequest(long number, LineOrders orders) implements Numbered {}

    record RelayStart(long number, GrantedContainer container, ContainerLaunch launch) implements Numbered {}

    record RelayStop(long number, GrantedContainer container) implements Numbered {}

    record RelayUrl(long number, String url) implements Numbered {}

    record RelayFinish(long number, FinalOutcome outcome, String words) implements Numbered {}

    /** The next beat is due within {@code millis}. Not numbered: a beat comes in any case. */
    record RelayBeat(long millis) {}
}
