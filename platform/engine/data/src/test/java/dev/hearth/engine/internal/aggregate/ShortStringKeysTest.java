package dev.hearth.engine.internal.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packed strings are equal exactly when the strings are. */
class ShortStringKeysTest {
    private static final List<Character> CHARACTERS = List.of('a', 'b', '\0', '\u00ff', '\u0100', '\u0161');

    @Test
    void agreesWithEquals() {
        Random random = new Random(1);
        ShortStringKeys texts = new ShortStringKeys();
        texts.grow(1);
        int same = 0;
        for (int i = 0; i < 200_000; i++) {
            String left = text(random);
            String right = random.nextInt(4) == 0 ? new String(left.toCharArray()) : text(random);
            if (texts.pack(left)) {
                assertTrue(left.chars().allMatch(at -> at < 256), left);
                texts.store(0);
                boolean found = texts.pack(right) && texts.isAt(0);
                assertEquals(left.equals(right), found, () -> left + " and " + right);
                same += found ? 1 : 0;
            } else {
                assertTrue(left.length() > 15 || left.chars().anyMatch(at -> at > 255), left);
            }
        }
        assertTrue(same > 1_000, "equal strings: " + same);
    }

    @Test
    void packsNoOtherKeys() {
        ShortStringKeys texts = new ShortStringKeys();
        texts.grow(2);
        assertFalse(texts.pack(1));
        assertFalse(texts.pack(null));
        assertFalse(texts.pack("sixteen letters!"));
        texts.store(0);
        assertTrue(texts.pack(""));
        assertFalse(texts.isAt(0));
        assertFalse(texts.isAt(1));
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(3) == 0 ? random.nextInt(18) : random.nextInt(3);
        int kinds = random.nextInt(4) == 0 ? CHARACTERS.size() : 4;
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS.get(random.nextInt(kinds)));
        }
        return text.toString();
    }
}
