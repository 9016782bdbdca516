package dev.hearth.engine.internal.driver.racks;

import dev.hearth.spi.cluster.RackResolver;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Racks from a file in Hadoop's form: a host and its rack in each line, separated by blanks; lines that begin with
 * {@code #} are comments. The file is read at each question. Stateless.
 */
record TableRackResolver(Path file) implements RackResolver {
    @Override
    public Map<String, String> racks(List<String> hosts) throws IOException {
        Set<String> wanted = new TreeSet<>(hosts);
        Map<String, String> racks = new LinkedHashMap<>();
        int number = 0;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                String text = line.strip();
                String[] columns = text.split("\\s+", -1);
                if (columns.length != 2 && !text.isEmpty() && !text.startsWith("#")) {
                    throw new IOException("table " + file + ", line " + number + ": " + columns.length
                            + " columns (expected: a host and its rack)");
                }
                if (columns.length == 2 && !text.startsWith("#") && wanted.contains(columns[0])) {
                    racks.put(columns[0], columns[1]);
                }
            }
        }
        return racks;
    }
}
