package dev.hearth.rpc.internal.connect;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reaches one of the addresses of a host: tries them in order, the next after a failure or once the one before has had its
 * head start, and keeps the first that is there; the others are closed. Owned by one event loop; ends once.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
final class HappyEyeballs {
    /** How long an address is waited for before the next is tried beside it. */
    static final Duration HEAD_START = Duration.ofMillis(250);

    private final EventExecutor loop;
    private final List<InetAddress> addresses;
    private final Function<InetAddress, ChannelFuture> dial;
    private final Outcome outcome;
    private final Set<ChannelFuture> dialed = new LinkedHashSet<>(); // those that have not ended
    private final List<String> failures = new ArrayList<>();
    private int next;
    private @Nullable Future<?> headStart;
    private boolean over;

    /** With one address or more; {@code dial} begins to connect to one, on {@code loop}. */
    HappyEyeballs(
            EventExecutor loop,
            List<InetAddress> addresses,
            Function<InetAddress, ChannelFuture> dial,
            Outcome outcome) {
        this.loop = loop;
        this.addresses = addresses;
        this.dial = dial;
        this.outcome = outcome;
    }

    void begin() {
        dialNext();
    }

    /** Nobody waits for a connection any more; the outcome hears nothing. */
    void stop() {
        over = true;
        cancelHeadStart();
        List<ChannelFuture> left = List.copyOf(dialed); // as each says that it has ended
        dialed.clear();
        left.forEach(each -> each.channel().close());
    }

    /** What has become of the addresses so far, for people. */
    String progress() {
        return "no answer" + (failures.isEmpty() ? "" : " (" + String.join("; ", failures) + ")");
    }

    private void dialNext() {
        cancelHeadStart();
        InetAddress address = addresses.get(next);
        next++;
        ChannelFuture dialing = dial.apply(address);
        dialed.add(dialing);
        if (next < addresses.size()) {
            headStart = loop.schedule(this::dialNext, HEAD_START.toNanos(), TimeUnit.NANOSECONDS);
        }
        dialing.addListener(done -> ended(address, dialing));
    }

    private void ended(InetAddress address, ChannelFuture dialing) {
        dialed.remove(dialing);
        if (over) {
            if (dialing.isSuccess()) { // in the moment the race was decided
                dialing.channel().close();
            }
            return;
        }
        if (dialing.isSuccess()) {
            stop();
            outcome.reached(dialing.channel());
            return;
        }
        String reason = NetworkErrorMessages.describe(dialing.cause());
        failures.add(addresses.size() == 1 ? reason : address.getHostAddress() + ": " + reason);
        if (next < addresses.size()) {
            dialNext();
        } else if (dialed.isEmpty()) {
            over = true;
            outcome.unreachable(
                    addresses.size() == 1
                            ? failures.get(0)
                            : "none of its addresses can be reached (" + String.join("; ", failures) + ")");
        }
    }

    private void cancelHeadStart() {
        if (headStart != null) {
            headStart.cancel(false);
            headStart = null;
        }
    }

    /** Hears how it ended, once, on the loop. */
    interface Outcome {
        /** The connection is there; nothing has been read from it. */
        void reached(Channel channel);

        /** None of the addresses can be reached, and why not. */
        void unreachable(String reason);
    }
}
