package dev.hearth.yarncontainer.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads credentials files with the bytes that Hadoop 3.5.0 writes, and damaged ones. */
class TokenFileTest {
    /** One token and one secret, written by Hadoop 3.5.0. */
    private static final byte[] WRITTEN = HexFormat.of()
            .parseHex("4844545300" + "01" + "03737663" + "0109" + "0108" + "044b494e44" + "06686f73743a31" + "01"
                    + "06686561727468" + "03010203");

    @Test
    void readsTheSecretBehindATokenOfHadoop() {
        assertEquals(
                Map.of("hearth", Bytes.owning(new byte[] {1, 2, 3})),
                TokenFile.parse("tokens", WRITTEN).secrets());
    }

    @Test
    void refusesEachTruncatedFile() {
        for (int length = 0; length < WRITTEN.length; length++) {
            byte[] truncated = Arrays.copyOf(WRITTEN, length);
            HearthException refused =
                    assertThrows(HearthException.class, () -> TokenFile.parse("tokens", truncated), "length " + length);
            assertEquals(ErrorCode.START_FAILED, Failures.code(refused));
        }
    }

    @Test
    void refusesAnotherVersionAndOtherFiles() {
        byte[] other = WRITTEN.clone();
        other[4] = 1;
        assertTrue(assertThrows(HearthException.class, () -> TokenFile.parse("tokens", other))
                .getMessage()
                .contains("version 1"));
        assertThrows(HearthException.class, () -> TokenFile.parse("tokens", "no token file".getBytes(UTF_8)));
    }

    @Test
    void refusesLengthsThatAreNegativeOrBeyondTheFile() {
        for (byte[] length : new byte[][] {{-1}, {-113, 127}, {-116, 127, -1, -1, -1}, {-121, 5}}) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            file.writeBytes(HexFormat.of().parseHex("48445453000001"));
            file.writeBytes(length);
            assertThrows(HearthException.class, () -> TokenFile.parse("tokens", file.toByteArray()));
        }
    }

    @Test
    void readsSecretsOfEachLengthOfNumbers() {
        for (int size : new int[] {0, 1, 127, 128, 255, 256, 65_535, 65_536}) {
            byte[] secret = new byte[size];
            Arrays.fill(secret, (byte) 7);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            file.writeBytes(HexFormat.of().parseHex("48445453000001" + "0161"));
            writeNumber(file, size);
            file.writeBytes(secret);
            TokenFile read = TokenFile.parse("tokens", file.toByteArray());
            assertArrayEquals(secret, read.secrets().get("a").toArray());
            assertFalse(read.toString().contains("7"));
        }
    }

    /** As Hadoop's WritableUtils does. */
    private static void writeNumber(ByteArrayOutputStream out, int value) {
        if (value <= 127) {
            out.write(value);
            return;
        }
        int bytes = value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : 3;
        out.write(-112 - bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.write(value >> (8 * i));
        }
    }
}
