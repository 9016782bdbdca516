package dev.hearth.shell.gogo.text;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Arguments of a filter: options of one letter, as of a Unix command, and other words. Immutable. */
record FilterOptions(String command, Map<Character, String> options, List<String> words) {
    /**
     * Parses {@code arguments}. {@code letters} are the options without a value; each letter of {@code valued} takes a
     * number as its value, attached or as the next argument.
     */
    static FilterOptions parse(String command, String[] arguments, String letters, String valued) {
        Map<Character, String> options = new LinkedHashMap<>();
        List<String> words = new ArrayList<>();
        for (int at = 0; at < arguments.length; at++) {
            String argument = arguments[at];
            if (argument.equals("--")) {
                words.addAll(List.of(arguments).subList(at + 1, arguments.length));
                break;
            }
            if (argument.length() < 2 || argument.charAt(0) != '-') {
                words.add(argument);
            } else if (Character.isDigit(argument.charAt(1)) && valued.indexOf('n') >= 0) {
                options.put('n', argument.substring(1)); // head -5
            } else if (!readLetters(argument, letters, valued, options)) {
                char option = argument.charAt(argument.length() - 1);
                if (valued.indexOf(option) < 0 || at + 1 == arguments.length) {
                    throw misused(command, "'" + argument + "' (expected: " + expected(letters, valued) + ")");
                }
                options.put(option, arguments[++at]);
            }
        }
        return new FilterOptions(command, options, words);
    }

    /** Reads one argument; returns false if it is unknown or its last letter takes the next argument as its value. */
    private static boolean readLetters(String argument, String letters, String valued, Map<Character, String> options) {
        for (int at = 1; at < argument.length(); at++) {
            char letter = argument.charAt(at);
            if (valued.indexOf(letter) >= 0 && at + 1 < argument.length()) {
                options.put(letter, argument.substring(at + 1));
                return true;
            }
            if (letters.indexOf(letter) < 0) {
                return false;
            }
            options.put(letter, "");
        }
        return true;
    }

    private static String expected(String letters, String valued) {
        List<String> all = new ArrayList<>();
        letters.chars().forEach(letter -> all.add("-" + (char) letter));
        valued.chars().forEach(letter -> all.add("-" + (char) letter + " NUMBER"));
        return all.isEmpty() ? "no option" : "one of " + String.join(", ", all);
    }

    boolean has(char letter) {
        return options.containsKey(letter);
    }

    /** Returns the number that the option {@code letter} was given, or {@code otherwise} without that option. */
    int number(char letter, int otherwise) {
        String text = options.getOrDefault(letter, String.valueOf(otherwise));
        if (!text.matches("\\d{1,9}")) {
            throw misused(command, "-" + letter + " '" + text + "' (expected: a whole number)");
        }
        return Integer.parseInt(text);
    }

    Optional<String> first() {
        return words.stream().findFirst();
    }

    static RuntimeException misused(String command, String found) {
        return ErrorCode.BAD_ARGUMENT.failure("hearth:" + command + ": " + found + "; see 'help " + command + "'");
    }
}
