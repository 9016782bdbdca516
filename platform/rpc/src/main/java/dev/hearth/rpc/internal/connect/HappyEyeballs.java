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
 * Connects to one of the addresses of a host ("happy eyeballs", RFC 8305), trying them in order. An attempt that fails,
 * or has not connected after {@link #HEAD_START}, lets the next one begin. The first connection is used; all other
 * attempts are closed. Owned by one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
final class HappyEyeballs {
    /**
     * Time after which the next address is tried, in parallel, while the attempt before it has neither connected nor
     * failed.
     */
    static final Duration HEAD_START = Duration.ofMillis(250);

    private final EventExecutor loop;
    private final List<InetAddress> addresses;
    private final Function<InetAddress, ChannelFuture> dial;
    private final Outcome outcome;
    private final Set<ChannelFuture> dialed = new LinkedHashSet<>(); // attempts under way
    private final List<String> failures = new ArrayList<>();
    private int next;
    private @Nullable Future<?> headStart;
    private boolean over;

    /**
     * Creates a connection attempt to {@code addresses}, which has at least one element, in this order. {@code dial}
     * starts connecting to one address, on {@code loop}.
     */
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

    /** Aborts all attempts, without calling the {@link Outcome}. */
    void stop() {
        over = true;
        cancelHeadStart();
        // iterate over a copy, because closing a channel removes it from the list
        List<ChannelFuture> left = List.copyOf(dialed);
        dialed.clear();
        left.forEach(each -> each.channel().close());
    }

    /** Describes the attempts so far, for error messages. */
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
            if (dialing.isSuccess()) { // close it: it connected just after another address
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

    /**
     * Callback for the first address that connected, or for the failure of all addresses. Called once on the event
     * loop.
     */
    interface Outcome {
        /** Receives the channel of the first address that connected. No bytes have been read from it. */
        void reached(Channel channel);

        /** Receives the reason why none of the addresses can be reached. */
        void unreachable(String reason);
    }
}
