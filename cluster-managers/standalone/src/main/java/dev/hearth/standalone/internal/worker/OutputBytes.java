package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Part of an output by the number of its first byte, counted over all files of the output that are there, the oldest first.
 * Reads one part; used once. The stages of its files run one after the other.
 */
final class OutputBytes {
    /** Maximum number of bytes of one part. */
    static final int LENGTH_MAX = 1024 * 1024;

    private final Function<OutputRange, CompletionStage<Optional<OutputChunk>>> files;
    private final OutputName output;
    private final OptionalLong offset;
    private final int length;
    private final NavigableMap<Long, Long> sizes = new TreeMap<>(); // by the number of the file
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    /** Reads {@code length} bytes from {@code offset} on; the last ones if there is no offset. */
    OutputBytes(
            Function<OutputRange, CompletionStage<Optional<OutputChunk>>> files,
            OutputName output,
            OptionalLong offset,
            int length) {
        this.files = files;
        this.output = output;
        this.offset = offset;
        this.length = Math.max(0, Math.min(length, LENGTH_MAX));
    }

    /** Bytes {@code first} to {@code end}, without the latter, of {@code total}. Immutable. */
    record Part(long first, long end, long total, String text) {}

    /** Reads the part; empty if the process has no such output. */
    CompletionStage<Optional<Part>> part() {
        return measure(OutputPosition.END);
    }

    /** Finds the sizes of the files before {@code position}, the newest first. */
    private CompletionStage<Optional<Part>> measure(OutputPosition position) {
        return files.apply(new OutputRange(output, position, true, 1)).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            OutputPosition end = found.get().to();
            if (found.get().bytes().size() == 0) {
                return read();
            }
            sizes.put(end.file(), end.offset());
            return measure(new OutputPosition(end.file(), 0));
        });
    }

    private CompletionStage<Optional<Part>> read() {
        long total = sizes.values().stream().mapToLong(Long::longValue).sum();
        long first = Math.max(0, Math.min(offset.orElse(total - length), total));
        long end = Math.min(first + length, total);
        long left = first;
        for (Map.Entry<Long, Long> file : sizes.entrySet()) {
            if (left < file.getValue()) {
                return read(new OutputPosition(file.getKey(), left), first, end, total);
            }
            left -= file.getValue();
        }
        return CompletableFuture.completedStage(Optional.of(new Part(first, first, total, "")));
    }

    private CompletionStage<Optional<Part>> read(OutputPosition from, long first, long end, long total) {
        int missing = (int) (end - first) - read.size();
        if (missing <= 0) {
            return CompletableFuture.completedStage(Optional.of(part(first, total)));
        }
        return files.apply(new OutputRange(output, from, false, missing)).thenCompose(found -> {
            int before = read.size();
            found.ifPresent(chunk -> read.writeBytes(chunk.bytes().toArray()));
            boolean isOver = found.isEmpty() || read.size() == before; // files may roll over and be removed meanwhile
            return isOver
                    ? CompletableFuture.completedStage(Optional.of(part(first, total)))
                    : read(found.get().to(), first, end, total);
        });
    }

    private Part part(long first, long total) {
        return new Part(first, first + read.size(), total, read.toString(StandardCharsets.UTF_8));
    }
}
