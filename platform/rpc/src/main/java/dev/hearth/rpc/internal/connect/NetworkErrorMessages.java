package dev.hearth.rpc.internal.connect;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;

/** Describes network failures in words. Stateless. */
public final class NetworkErrorMessages {
    private NetworkErrorMessages() {}

    public static String describe(Throwable cause) {
        if (cause instanceof NoRouteToHostException) {
            return "no route to that host";
        }
        if (cause instanceof UnknownHostException) {
            return "unknown host";
        }
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (cause instanceof ConnectException && message.contains("refused")) {
            return "connection refused";
        }
        if (cause instanceof ClosedChannelException) {
            return "the connection was closed";
        }
        if (cause instanceof IOException && (message.contains("reset") || message.contains("broken pipe"))) {
            return "the connection was reset";
        }
        return cause.toString();
    }
}
