package dev.hearth.rpc.internal.http;

import dev.hearth.spi.settings.Secrets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs one line per HTTP request at DEBUG level, without the values of secret parameters. Stateless. */
final class AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.http.requests");

    private AccessLog() {}

    static void answered(HttpExchange exchange, String remote, long nowNanos) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("{}", line(exchange, remote, nowNanos));
        }
    }

    static String line(HttpExchange exchange, String remote, long nowNanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nowNanos - exchange.startedNanos());
        return "#" + exchange.number() + " "
                + exchange.head().map(AccessLog::asked).orElse("(not a request)") + " " + exchange.status() + " "
                + exchange.bytesSent() + " bytes " + micros + " us from " + remote;
    }

    private static String asked(RequestHead head) {
        String parameters = head.target().query().entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .map(value -> plain(entry.getKey()) + "=" + plain(Secrets.shown(entry.getKey(), value))))
                .collect(Collectors.joining("&"));
        return head.method() + " " + plain(head.target().path())
                + Optional.of(parameters)
                        .filter(text -> !text.isEmpty())
                        .map(text -> "?" + text)
                        .orElse("");
    }

    /** Returns the text without control characters, so that it stays on one line. */
    private static String plain(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
