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
 * Connects to one of the addresses of a host ("happy eyeballs"). Tries them in order: the next one starts after a
 * failure, or when the previous one has not connected within the head start. The first connection wins; the others are
 * closed. Owned by one event loop; ends once.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
final class HappyEyeballs {
    /** Time for an address to connect before the next one is tried in parallel. */
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

    /** Takes at least one address; {@code dial} starts a connection attempt to one address, on {@code loop}. */
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

    /** Aborts the attempts; the outcome is not called. */
    void stop() {
        over = true;
        cancelHeadStart();
        List<ChannelFuture> left = List.copyOf(dialed); // copied, because each close removes itself
        dialed.clear();
        left.forEach(each -> each.channel().close());
    }

    /** Text on the attempts so far, for people. */
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
            if (dialing.isSuccess()) { // it connected just after the race was decided
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

    /** Receives the outcome, once, on the loop. */
    interface Outcome {
        /** An address has connected; nothing has been read from the channel. */
        void reached(Channel channel);

        /** No address can be reached, for this reason. */
        void unreachable(String reason);
    }
}
