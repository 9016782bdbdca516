package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.spi.time.Ticker;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Separate process with one temporary file below the given directory; reads orders from its input and ends with
 * it.
 */
public final class TemporaryFileProcess {
    private static final List<List<byte[]>> PARTS = List.of(List.of(new byte[100_000]));

    private TemporaryFileProcess() {}

    public static void main(String[] arguments) throws Exception {
        DiskSettings settings = new DiskSettings(
                List.of(Path.of(arguments[0])), new CompressionSettings(CompressionCodec.LZ4, true, true));
        LocalTemporaryFiles files = LocalTemporaryFiles.of(settings, Ticker.system());
        PartitionedFile segment = TemporaryFileFixture.write(files.create("spill", 1), PARTS);
        System.out.println(segment.file());
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            System.out.println(answer(order, files, segment));
        }
    }

    private static String answer(String order, LocalTemporaryFiles files, PartitionedFile segment)
            throws CorruptFileException {
        if (order.equals("read")) {
            return TemporaryFileFixture.same(PARTS, TemporaryFileFixture.read(segment)) ? "whole" : "changed";
        }
        files.close();
        return "closed";
    }
}
