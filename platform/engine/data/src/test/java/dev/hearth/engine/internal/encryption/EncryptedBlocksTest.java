package dev.hearth.engine.internal.encryption;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EncryptedBlocksTest {
    private static final FileEncryptionKey KEY = new FileEncryptionKey(new byte[16]);

    private static byte[] sealed(byte[]... pieces) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        EncryptedBlocks.Writer writer = new EncryptedBlocks.Writer(KEY);
        for (byte[] piece : pieces) {
            writer.write(piece, piece.length, (bytes, length) -> file.write(bytes, 0, length));
        }
        return file.toByteArray();
    }

    private static byte[] opened(FileEncryptionKey key, byte[] sealed) {
        return EncryptedBlocks.opened(key, Bytes.owning(sealed), "value").toArray();
    }

    @Test
    void roundTripsPiecesOfAnySize() {
        Random random = new Random(1);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[][] pieces = new byte[20][];
        for (int n = 0; n < pieces.length; n++) {
            pieces[n] = new byte[random.nextInt(n % 5 == 0 ? 1_000_000 : 100)];
            random.nextBytes(pieces[n]);
            all.writeBytes(pieces[n]);
        }
        assertArrayEquals(all.toByteArray(), opened(KEY, sealed(pieces)));
        assertEquals(0, opened(KEY, sealed()).length);
    }

    /** Two blocks with one nonce would give away both. */
    @Test
    void encryptsEachBlockWithANonceOfItsOwn() {
        byte[] sealed = sealed(new byte[40], new byte[40]);
        int block = Integer.BYTES + FileCipher.ADDED_BYTES + 40;
        byte[] first = Arrays.copyOfRange(sealed, Integer.BYTES, Integer.BYTES + FileCipher.LEAD_BYTES);
        byte[] second =
                Arrays.copyOfRange(sealed, block + Integer.BYTES, block + Integer.BYTES + FileCipher.LEAD_BYTES);
        assertFalse(Arrays.equals(first, second));
    }

    @Test
    void detectsAnyChange() {
        byte[] sealed = sealed(new byte[40], new byte[] {7});
        for (int at = 0; at < sealed.length; at++) {
            byte[] changed = sealed.clone();
            changed[at] ^= 1;
            assertThrows(HearthException.class, () -> opened(KEY, changed), "byte " + at);
        }
        int second = Integer.BYTES + FileCipher.ADDED_BYTES + 40;
        byte[] swapped = new byte[sealed.length];
        System.arraycopy(sealed, second, swapped, 0, sealed.length - second);
        System.arraycopy(sealed, 0, swapped, sealed.length - second, second);
        assertThrows(HearthException.class, () -> opened(KEY, swapped));
        assertThrows(HearthException.class, () -> opened(KEY, Arrays.copyOf(sealed, sealed.length - 1)));
        assertThrows(HearthException.class, () -> opened(new FileEncryptionKey(new byte[32]), sealed));
    }
}
