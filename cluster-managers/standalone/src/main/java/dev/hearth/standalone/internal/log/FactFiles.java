package dev.hearth.standalone.internal.log;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a log that this process has locked: reads them once, and then says where writing goes on. Damage and
 * missing files fail with {@code FILE_DAMAGED}, which names them. Used by the thread of the log; its methods block.
 */
final class FactFiles {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    private static final String SEGMENT = "facts-";
    private static final String SNAPSHOT = "snapshot-";
    private static final String UNFINISHED = ".new";
    private static final String EPOCH = "epoch";
    private static final Pattern NUMBERED = Pattern.compile("(facts|snapshot)-([1-9][0-9]{0,17})");
    private static final Pattern EPOCH_TEXT = Pattern.compile("([1-9][0-9]{0,17}) is the epoch of the last leader\n");

    private final FactDisk disk;
    private final TreeSet<Long> segments = new TreeSet<>();
    private final TreeSet<Long> snapshots = new TreeSet<>();
    private long facts; // read so far

    FactFiles(FactDisk disk) throws IOException {
        this.disk = disk;
        for (String name : disk.names()) {
            Matcher numbered = NUMBERED.matcher(name);
            if (numbered.matches()) {
                (name.startsWith(SEGMENT) ? segments : snapshots).add(Long.parseLong(numbered.group(2)));
            } else if (name.endsWith(UNFINISHED)) {
                disk.delete(name);
            }
        }
    }

    static String segment(long number) {
        return SEGMENT + number;
    }

    static String snapshot(long number) {
        return SNAPSHOT + number;
    }

    static String unfinished(String name) {
        return name + UNFINISHED;
    }

    /** The last segment, and the number of its bytes that are whole. */
    record End(long segment, long wholeBytes) {}

    /** Creates a segment without facts. */
    static FactDisk.Appender begin(FactDisk disk, long number) throws IOException {
        FactDisk.Appender file = disk.create(segment(number));
        try {
            file.write(ByteBuffer.wrap(FactFrame.MAGIC));
            file.force();
            disk.force();
            return file;
        } catch (IOException failure) {
            file.close();
            throw failure;
        }
    }

    /** Passes all facts to {@code reader}, in order, and returns where new ones are to be appended. */
    End replay(Consumer<Bytes> reader) throws IOException {
        if (segments.isEmpty() && snapshots.isEmpty() && !disk.names().contains(EPOCH)) {
            begin(disk, 1).close();
            return new End(1, FactFrame.MAGIC.length);
        }
        Consumer<Bytes> counting = fact -> {
            facts++;
            reader.accept(fact);
        };
        long first = snapshots.isEmpty() ? 1 : snapshots.last();
        requireComplete(first);
        if (!snapshots.isEmpty()) {
            try (InputStream in = new BufferedInputStream(disk.read(snapshot(first)))) {
                if (!FactFrame.readWhole(in, counting)) {
                    throw damaged(snapshot(first), "does not match its checksums");
                }
            }
        }
        End end = replaySegments(first, counting);
        deleteBefore(disk, first);
        return end;
    }

    private void requireComplete(long first) {
        for (long number = first; segments.isEmpty() || number <= segments.last(); number++) {
            if (!segments.contains(number)) {
                boolean lacksSnapshot = snapshots.isEmpty() && !segments.isEmpty() && segments.first() > 1;
                throw missing(lacksSnapshot ? snapshot(segments.first()) : segment(number));
            }
        }
    }

    private End replaySegments(long first, Consumer<Bytes> reader) throws IOException {
        long last = segments.last();
        Optional<Long> torn = Optional.empty();
        End end = new End(last, 0);
        for (long number = first; number <= last; number++) {
            String name = segment(number);
            byte[] file = bytes(name);
            if (!FactFrame.hasMagic(file)) {
                if (number == last && FactFrame.isPartOfMagic(file)) {
                    begin(disk, number).close(); // its creation was not completed
                    file = FactFrame.MAGIC;
                } else {
                    throw damaged(name, "begins with other bytes than those of a log");
                }
            }
            FactFrame.Found found = FactFrame.read(file, reader);
            if (torn.isPresent() && found.facts() > 0) {
                throw damaged(segment(torn.get()), "ends with a damaged record, and has a successor");
            }
            switch (found.tail()) {
                case NOTHING -> {}
                case END -> {
                    if (number == last) {
                        throw missing(segment(number + 1));
                    }
                }
                case DAMAGED -> throw damaged(name, "damaged at byte " + found.wholeBytes());
                case TORN -> {
                    if (number < last - 1) {
                        throw damaged(name, "damaged at byte " + found.wholeBytes());
                    }
                    torn = Optional.of(number);
                    LOG.warn(
                            "{} in {}: the last record is incomplete from byte {} on, as after a crash; its {} bytes"
                                    + " are cut, which were never acknowledged",
                            name,
                            disk.place(),
                            found.wholeBytes(),
                            file.length - found.wholeBytes());
                    disk.open(name, found.wholeBytes()).close();
                }
            }
            end = new End(number, found.wholeBytes());
        }
        return end;
    }

    private byte[] bytes(String name) throws IOException {
        try (InputStream in = disk.read(name)) {
            return in.readAllBytes();
        }
    }

    /** Removes the files that a snapshot has replaced. */
    static void deleteBefore(FactDisk disk, long first) throws IOException {
        for (String name : disk.names()) {
            Matcher numbered = NUMBERED.matcher(name);
            if (numbered.matches() && Long.parseLong(numbered.group(2)) < first) {
                disk.delete(name);
            }
        }
    }

    /** Begins the next epoch. Fails if that of the last leader is damaged or missing. */
    long nextEpoch() throws IOException {
        long epoch = 1;
        if (disk.names().contains(EPOCH)) {
            Matcher text = EPOCH_TEXT.matcher(new String(bytes(EPOCH), StandardCharsets.UTF_8));
            if (!text.matches()) {
                throw damaged(EPOCH, "no number of an epoch");
            }
            epoch = Long.parseLong(text.group(1)) + 1;
        } else if (facts > 0) {
            throw missing(EPOCH);
        }
        try (FactDisk.Appender file = disk.create(unfinished(EPOCH))) {
            file.write(
                    ByteBuffer.wrap((epoch + " is the epoch of the last leader\n").getBytes(StandardCharsets.UTF_8)));
            file.force();
        }
        disk.rename(unfinished(EPOCH), EPOCH);
        disk.force();
        return epoch;
    }

    private HearthException missing(String name) {
        return damaged(name, "missing");
    }

    private HearthException damaged(String name, String what) {
        return ErrorCode.FILE_DAMAGED.failure(
                name + " in " + disk.place() + ": " + what
                        + " (expected: all files as the last master has left them); " + facts
                        + " facts before it are whole; restore the directory, or move it away to begin anew without what it says");
    }
}
