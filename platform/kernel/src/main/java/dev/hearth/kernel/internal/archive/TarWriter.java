package dev.hearth.kernel.internal.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writer of tar files (POSIX ustar) whose bytes depend on the names, contents and modes of the files alone: times are
 * fixed, owners have no names. Used by one thread.
 */
final class TarWriter {
    private static final int BLOCK_BYTES = 512;
    private static final int NAME_BYTES_MAX = 100;
    private static final int MODE_AT = 100;
    private static final int OWNER_AT = 108;
    private static final int GROUP_AT = 116;
    private static final int SIZE_AT = 124;
    private static final int TIME_AT = 136;
    private static final int CHECKSUM_AT = 148;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;
    private static final int ID_DIGITS = 7;
    private static final int SIZE_DIGITS = 11;
    private static final int CHECKSUM_DIGITS = 6;
    private static final int PROGRAM_MODE = 0755;
    private static final int FILE_MODE = 0644;
    /** Modification time of all entries, 1980-01-01 in UTC; tools warn of older ones. */
    private static final long TIME_SECONDS = 315_532_800;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes all entries in the given order, each directory before its first file, and the end of the archive. */
    void write(List<ArchiveEntry> entries) throws IOException {
        Set<String> directories = new LinkedHashSet<>();
        for (ArchiveEntry entry : entries) {
            for (int slash = entry.name().indexOf('/');
                    slash > 0;
                    slash = entry.name().indexOf('/', slash + 1)) {
                String directory = entry.name().substring(0, slash + 1);
                if (directories.add(directory)) {
                    header(directory, PROGRAM_MODE, 0, '5');
                }
            }
            file(entry);
        }
        out.write(new byte[2 * BLOCK_BYTES]);
    }

    private void file(ArchiveEntry entry) throws IOException {
        long size =
                Files.readAttributes(entry.file(), BasicFileAttributes.class).size();
        header(entry.name(), entry.executable() ? PROGRAM_MODE : FILE_MODE, size, '0');
        long written;
        try (InputStream in = Files.newInputStream(entry.file())) {
            written = in.transferTo(out);
        }
        if (written != size) {
            throw new IOException(entry.file() + ": " + written + " bytes, and " + size
                    + " a moment before (expected: a file that does not change)");
        }
        int rest = (int) (size % BLOCK_BYTES);
        if (rest > 0) {
            out.write(new byte[BLOCK_BYTES - rest]);
        }
    }

    private void header(String name, int mode, long size, char type) throws IOException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length > NAME_BYTES_MAX) {
            throw new IOException("file " + name + ": a name of " + path.length + " bytes (expected: at most "
                    + NAME_BYTES_MAX + " in an archive)");
        }
        byte[] block = new byte[BLOCK_BYTES];
        System.arraycopy(path, 0, block, 0, path.length);
        octal(block, MODE_AT, ID_DIGITS, mode);
        octal(block, OWNER_AT, ID_DIGITS, 0);
        octal(block, GROUP_AT, ID_DIGITS, 0);
        octal(block, SIZE_AT, SIZE_DIGITS, size);
        octal(block, TIME_AT, SIZE_DIGITS, TIME_SECONDS);
        block[TYPE_AT] = (byte) type;
        byte[] magic = "ustar\00000".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(magic, 0, block, MAGIC_AT, magic.length);
        Arrays.fill(block, CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_DIGITS + 2, (byte) ' ');
        int sum = 0;
        for (byte value : block) {
            sum += value & 0xff;
        }
        octal(block, CHECKSUM_AT, CHECKSUM_DIGITS, sum);
        block[CHECKSUM_AT + CHECKSUM_DIGITS] = 0;
        out.write(block);
    }

    private static void octal(byte[] block, int at, int digits, long value) {
        String text = Long.toOctalString(value);
        byte[] padded = ("0".repeat(digits - text.length()) + text).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(padded, 0, block, at, digits);
    }
}
