package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.kubernetes.internal.kubeconfig.ExecCredential;
import dev.hearth.kubernetes.internal.kubeconfig.ExecPlugin;
import dev.hearth.kubernetes.internal.kubeconfig.ExecRun;
import dev.hearth.kubernetes.internal.kubeconfig.TextSource;
import dev.hearth.kubernetes.internal.kubeconfig.UserEntry;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the credentials of a user and the certificates of a cluster: files, and a plug-in, which runs only when its last
 * credential has expired or was refused. Owned by one thread at a time.
 */
final class AccessSource {
    /** Time after which files are read again. */
    static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /** Ticks until a time that never comes. */
    private static final long NEVER_NANOS = Long.MAX_VALUE / 4;

    private static final int DELETE = 0x7f; // the first that is no character of ASCII texts

    private final TextSource authorities;
    private final boolean trustsAll;
    private final UserEntry user;
    private final Ticker ticker;
    private @Nullable Tls tls; // the last one
    private Optional<ExecCredential> printed = Optional.empty();
    private long printedEndNanos;

    /** Credentials, and the times of the ticker when they are to be read again and when they end. */
    record Reading(Access access, long checkNanos, long endNanos) {}

    AccessSource(TextSource authorities, boolean trustsAll, UserEntry user, Ticker ticker) {
        this.authorities = authorities;
        this.trustsAll = trustsAll;
        this.user = user;
        this.ticker = ticker;
    }

    /** Reads all. Blocks, for at most the time of a plug-in. {@code refused} says that the last ones were refused. */
    Reading read(boolean refused) throws IOException, InterruptedException {
        Optional<ExecPlugin> plugin = user.token().isPresent() ? Optional.empty() : user.plugin();
        if (plugin.isPresent()) {
            renew(plugin.get(), refused);
        }
        String certificate = printed.map(ExecCredential::certificate).orElse("");
        Tls.Texts texts = certificate.isEmpty()
                ? new Tls.Texts(
                        authorities.read(),
                        user.certificate().read(),
                        user.key().read())
                : new Tls.Texts(authorities.read(), certificate, printed.get().key());
        Tls made = tls;
        if (made == null || !made.isOf(texts)) {
            made = Tls.of(texts, trustsAll);
            tls = made;
        }
        long now = ticker.nanos();
        long end = printed.isPresent() ? printedEndNanos : now + NEVER_NANOS;
        long check = hasFiles() ? now + CHECK_INTERVAL.toNanos() : now + NEVER_NANOS;
        return new Reading(new Access(authorization(), made), end - check < 0 ? end : check, end);
    }

    private void renew(ExecPlugin plugin, boolean refused) throws IOException, InterruptedException {
        boolean isValid = printed.isPresent() && ticker.nanos() - printedEndNanos < 0;
        if (refused || !isValid) {
            ExecCredential found = ExecRun.run(plugin, ExecRun.TIME_MAX);
            printed = Optional.of(found);
            printedEndNanos = ticker.nanos()
                    + found.expires()
                            .map(time -> nanosUntil(time.toEpochMilli()))
                            .orElse(NEVER_NANOS);
        }
    }

    private long nanosUntil(long epochMillis) {
        long millis = epochMillis - ticker.wall().toEpochMilli();
        return Duration.ofMillis(Math.max(
                        0, Math.min(millis, Duration.ofNanos(NEVER_NANOS).toMillis())))
                .toNanos();
    }

    private String authorization() throws IOException {
        String token = printed.map(ExecCredential::token).orElse("");
        if (token.isEmpty()) {
            token = user.token().read().strip();
        }
        if (!token.chars().allMatch(character -> character > ' ' && character < DELETE)) {
            throw new IOException(
                    "token " + user.token() + ": characters that no token has (expected: one line of ASCII)");
        }
        if (!token.isEmpty()) {
            return "Bearer " + token;
        }
        if (user.token().file().isPresent()) {
            throw new IOException("token file " + user.token() + ": empty (expected: a token)");
        }
        return user.login().isEmpty()
                ? ""
                : "Basic " + Base64.getEncoder().encodeToString((user.login() + ":" + user.password()).getBytes(UTF_8));
    }

    private boolean hasFiles() {
        return authorities.file().isPresent()
                || user.token().file().isPresent()
                || user.certificate().file().isPresent()
                || user.key().file().isPresent();
    }
}
