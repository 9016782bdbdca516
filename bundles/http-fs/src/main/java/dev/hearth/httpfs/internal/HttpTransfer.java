package dev.hearth.httpfs.internal;

import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.stream.ContentId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * HttpTransfer of one file by HTTP: which bytes to request, when to try again, and when to give up. A state machine: time
 * arrives as an argument, nothing blocks, nothing is sent; {@link HttpDownload} performs the steps. Invariant: bytes of two
 * versions of a file never come together, unless the hash of the whole is known and proves that they are one version.
 */
final class HttpTransfer {
    /** Attempts in a row without a new byte, before the transfer fails. */
    static final int IDLE_ATTEMPTS_MAX = 4;
    /** Starts at byte 0 after the first one, before the transfer fails. */
    static final int RESTARTS_MAX = 4;

    static final long PAUSE_MIN_MILLIS = 100;
    static final long PAUSE_MAX_MILLIS = 5_000;

    private static final Set<Integer> TEMPORARY = Set.of(408, 425, 429, 500, 502, 503, 504);
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int UNCHANGED = 304;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int PROXY_UNAUTHORIZED = 407;
    private static final int GONE = 410;
    private static final int OUT_OF_RANGE = 416;

    /** State of a transfer. */
    enum State {
        ASKING,
        RECEIVING,
        PAUSED,
        CHECKING,
        ENDED;

        boolean leadsTo(State next) {
            return switch (this) {
                case ASKING -> next != CHECKING;
                case RECEIVING -> next == PAUSED || next == CHECKING || next == ENDED || next == ASKING;
                case PAUSED -> next == ASKING || next == ENDED;
                case CHECKING -> next == ASKING || next == ENDED;
                case ENDED -> false;
            };
        }
    }

    /** Bytes from an earlier transfer, and the value that proves that the file is unchanged; empty if unknown. */
    record Part(long bytes, String validator) {
        static final Part NONE = new Part(0, "");
    }

    /** The cached copy of the file, by which a server can confirm that it is unchanged; texts are empty if unknown. */
    record Copy(String tag, String changed) {
        static final Copy NONE = new Copy("", "");
    }

    private final HttpFsSettings bounds;
    private final Copy copy;
    private final Optional<ContentId> wanted;
    private final long startNanos;
    private State state = State.PAUSED;
    private long received;
    private String validator;
    private OptionalLong total = OptionalLong.empty();
    private String tag = "";
    private String changed = "";
    private boolean resumed;
    private boolean progressed;
    private int idleAttempts;
    private int restarts;

    /** {@code now} is the time from which the bound of the transfer counts. */
    HttpTransfer(HttpFsSettings bounds, Copy copy, Part part, Optional<ContentId> wanted, long now) {
        this.bounds = bounds;
        this.copy = copy;
        this.wanted = wanted;
        this.startNanos = now;
        this.received = part.validator().isEmpty() && wanted.isEmpty() ? 0 : part.bytes();
        this.validator = part.validator();
    }

    State state() {
        return state;
    }

    /** The value with which a later transfer can continue the part; empty if it cannot. */
    String validator() {
        return validator;
    }

    /** The copy that a later transfer can ask for, once this one is complete. */
    Copy received() {
        return new Copy(tag, changed);
    }

    /** The start, and the end of a pause. */
    TransferStep proceed(long now) {
        Optional<TransferStep> late = late(now);
        return late.isPresent() ? late.get() : ask();
    }

    private TransferStep ask() {
        move(State.ASKING);
        progressed = false;
        total = OptionalLong.empty();
        Map<String, String> headers = new LinkedHashMap<>();
        if (received > 0) {
            headers.put("Range", "bytes=" + received + "-");
            if (!validator.isEmpty()) {
                headers.put("If-Range", validator);
            }
        } else if (!copy.tag().isEmpty()) {
            headers.put("If-None-Match", copy.tag());
        } else if (!copy.changed().isEmpty()) {
            headers.put("If-Modified-Since", copy.changed());
        }
        return new TransferStep.Ask(headers);
    }

    /** The response to the last request has begun. */
    TransferStep answered(AnswerHead head, long now) {
        Optional<TransferStep> late = late(now);
        if (late.isPresent()) {
            return late.get();
        }
        return switch (head.status()) {
            case OK -> begin(head);
            case PARTIAL -> resume(head);
            case UNCHANGED ->
                copy.equals(Copy.NONE) || received > 0
                        ? unexpected(head)
                        : end(new TransferStep.End(TransferStep.Result.KEEP));
            case NOT_FOUND, GONE -> end(new TransferStep.End(TransferStep.Result.MISSING));
            case OUT_OF_RANGE ->
                received > 0 ? restart("the server has no bytes from " + received + " on") : unexpected(head);
            case UNAUTHORIZED, FORBIDDEN ->
                fail(
                        head.statusLine(),
                        "name a user who may read it, as https://user:password@host/path, in a file of --properties-file");
            case PROXY_UNAUTHORIZED ->
                fail(
                        head.statusLine(),
                        "use a proxy that admits this machine, or exclude the host by -Dhttp.nonProxyHosts");
            default ->
                TEMPORARY.contains(head.status())
                        ? interrupted(head.statusLine(), "try again later")
                        : unexpected(head);
        };
    }

    private TransferStep unexpected(AnswerHead head) {
        return fail(head.statusLine(), "check the address");
    }

    private TransferStep begin(AnswerHead head) {
        if (received > 0) {
            restarts++;
            if (restarts > RESTARTS_MAX) {
                return fail("its server sends it from its start after each interruption", "copy it to this machine");
            }
        }
        received = 0;
        resumed = false;
        validator = head.strongValidator();
        tag = head.tag();
        changed = head.changed();
        if (head.length().isEmpty() && !head.chunked() && wanted.isEmpty()) {
            return fail(
                    "its server does not say where it ends",
                    "add ?sha256=HASH to the address, so that an incomplete transfer is noticed");
        }
        return receive(head.length());
    }

    private TransferStep resume(AnswerHead head) {
        Optional<AnswerHead.Range> range = head.range();
        if (received == 0 || range.isEmpty() || range.get().from() != received) {
            return restart("its server sent bytes that were not requested");
        }
        resumed = true;
        tag = head.tag();
        changed = head.changed();
        return receive(range.get().total());
    }

    private TransferStep receive(OptionalLong length) {
        if (length.isPresent() && length.getAsLong() > bounds.bytesMax()) {
            return tooLarge(length.getAsLong() + " bytes");
        }
        total = length;
        move(State.RECEIVING);
        return new TransferStep.Receive(received);
    }

    private TransferStep tooLarge(String size) {
        return fail(size + ", more than hearth.jars.httpMax=" + (bounds.bytesMax() >> 20) + "m", "raise that setting");
    }

    /** Bytes of the body were appended. Empty if the transfer goes on. */
    Optional<TransferStep> received(int bytes, long now) {
        received += bytes;
        progressed |= bytes > 0;
        if (received > bounds.bytesMax()) {
            return Optional.of(tooLarge("more than " + bounds.bytesMax() + " bytes"));
        }
        return late(now);
    }

    /** The body of the response has ended. */
    TransferStep bodyEnded(long now) {
        if (total.isPresent() && received != total.getAsLong()) {
            return received < total.getAsLong()
                    ? broke("the connection ended after " + received + " of " + total.getAsLong() + " bytes", now)
                    : restart("its server sent more bytes than it announced");
        }
        move(State.CHECKING);
        return new TransferStep.Check();
    }

    /** The connection could not be made, or broke. */
    TransferStep broke(String why, long now) {
        Optional<TransferStep> late = late(now);
        return late.isPresent() ? late.get() : interrupted(why, "check the address and the server, and try again");
    }

    private TransferStep interrupted(String why, String advice) {
        idleAttempts = progressed ? 0 : idleAttempts + 1;
        if (idleAttempts >= IDLE_ATTEMPTS_MAX) {
            return fail(why, advice);
        }
        if (received > 0 && validator.isEmpty() && wanted.isEmpty()) {
            received = 0; // nothing proves that a second response would have the same bytes
            restarts++;
            if (restarts > RESTARTS_MAX) {
                return fail(why, "copy it to this machine, as its server cannot resume a transfer");
            }
        }
        move(State.PAUSED);
        return new TransferStep.Pause(Math.min(PAUSE_MAX_MILLIS, PAUSE_MIN_MILLIS << idleAttempts));
    }

    private TransferStep restart(String why) {
        restarts++;
        if (restarts > RESTARTS_MAX) {
            return fail(why, "copy it to this machine");
        }
        received = 0;
        validator = "";
        return ask();
    }

    /** The part has been read, and has this content, which may be left out if no hash is wanted. */
    TransferStep checked(Optional<ContentId> content) {
        if (wanted.isEmpty() || wanted.equals(content)) {
            return end(new TransferStep.End(TransferStep.Result.TAKE));
        }
        String found = content.map(ContentId::toString).orElse("unknown");
        if (resumed) {
            return restart("its bytes have the SHA-256 " + found);
        }
        received = 0;
        validator = "";
        return fail(
                "its bytes have the SHA-256 " + found + ", and not that of the address",
                "fetch the hash again from the publisher of the file");
    }

    private Optional<TransferStep> late(long now) {
        Duration taken = Duration.ofNanos(now - startNanos);
        if (taken.compareTo(bounds.timeout()) <= 0) {
            return Optional.empty();
        }
        return Optional.of(fail(
                "not complete after " + taken.toSeconds() + " s, with " + received + " bytes",
                "submit again, which continues the transfer if its server can, or raise hearth.jars.httpTimeout"));
    }

    private TransferStep fail(String what, String advice) {
        boolean resumable = received > 0 && received <= bounds.bytesMax();
        return end(new TransferStep.Fail(new StoreException(Secrets.shownAddress(what), advice), resumable));
    }

    private TransferStep end(TransferStep last) {
        move(State.ENDED);
        return last;
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("transfer: " + state + " to " + next + " (expected: a next state)");
        }
        state = next;
    }
}
