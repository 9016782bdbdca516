package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packing eight bytes at a time agrees with packing character by character. */
class PackedStringTest {
    private final PackedString direct = new PackedString();
    private final PackedString slow = new PackedString();

    @Test
    void agreesByBytesAndByCharacters() {
        Random random = new Random(3);
        for (int i = 0; i < 100_000; i++) {
            char[] chars = new char[random.nextInt(16)];
            int bound = random.nextInt(8) == 0 ? 0x200 : 0x100;
            for (int at = 0; at < chars.length; at++) {
                chars[at] = (char) random.nextInt(bound);
            }
            String text = new String(chars);
            boolean packed = direct.pack(text);
            assertEquals(text.chars().allMatch(at -> at < 0x100), packed, text);
            assertEquals(packed, slow.packChars(text), text);
            assertEquals(slow.first(), direct.first(), text);
            assertEquals(slow.second(), direct.second(), text);
            assertEquals(packed, direct.second() != 0, text);
        }
    }

    @Test
    void packsNoMoreThanFifteenCharacters() {
        assertTrue(direct.pack("fifteen letters"));
        assertFalse(direct.pack("sixteen letters!"));
        assertEquals(0, direct.second());
    }

    @Test
    void doesNotConfuseAWideStringWithItsLowBytes() {
        assertTrue(direct.pack("a"));
        long first = direct.first();
        assertFalse(direct.pack("\u0161")); // its lower byte equals that of the other string
        assertTrue(first != direct.first());
        assertEquals(0, direct.second());
    }

    @Test
    void hashesStringsThatDifferInOneCharacterDifferently() {
        boolean[] seen = new boolean[1 << 16];
        int count = 0;
        for (int place = 0; place < 15; place++) {
            for (char at = 'a'; at <= 'z'; at++) {
                StringBuilder text = new StringBuilder("000000000000000");
                text.setCharAt(place, at);
                assertTrue(direct.pack(text.toString()));
                int hash = direct.hash() ^ direct.hash() >>> 16;
                count += seen[hash & 0xFFFF] ? 0 : 1;
                seen[hash & 0xFFFF] = true;
            }
        }
        assertTrue(count > 15 * 26 * 95 / 100, "different hash codes: " + count);
    }
}
