package dev.hearth.statusapi.internal;

import dev.hearth.spi.http.HttpRequest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Typed query parameters of one request. An invalid value is rejected with an error that names the parameter. */
record QueryParameters(HttpRequest request) {
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'GMT'", Locale.ROOT);

    boolean flag(String name) {
        return text(name).map(Boolean::parseBoolean).orElse(false);
    }

    Optional<String> text(String name) {
        return request.parameter(name).filter(text -> !text.isEmpty());
    }

    int whole(String name, int otherwise) {
        return text(name)
                .map(text -> {
                    try {
                        int number = Integer.parseInt(text);
                        if (number >= 0) {
                            return number;
                        }
                    } catch (NumberFormatException noNumber) {
                        throw RequestRefusedException.badValue(name, "whole number", text);
                    }
                    throw RequestRefusedException.badValue(name, "whole number of 0 or more", text);
                })
                .orElse(otherwise);
    }

    List<Double> quantiles(String otherwise) {
        String all = text("quantiles").orElse(otherwise);
        return Arrays.stream(all.split(",", -1))
                .map(String::trim)
                .map(text -> {
                    try {
                        double number = Double.parseDouble(text);
                        if (number >= 0 && number <= 1) {
                            return number;
                        }
                    } catch (NumberFormatException noNumber) {
                        throw RequestRefusedException.badValue("quantiles", "double", text);
                    }
                    throw RequestRefusedException.badValue("quantiles", "double from 0 to 1", text);
                })
                .toList();
    }

    /**
     * Returns the values of the query parameter {@code name}, which may be repeated or list several values, in upper
     * case. Rejects values that are not in {@code known}.
     */
    List<String> words(String name, String... known) {
        List<String> values = request.query().getOrDefault(name, List.of()).stream()
                .flatMap(text -> Stream.of(text.split(",", -1)))
                .map(text -> text.trim().toUpperCase(Locale.ROOT))
                .filter(text -> !text.isEmpty())
                .toList();
        for (String word : values) {
            if (!List.of(known).contains(word)) {
                throw RequestRefusedException.badValue(
                        name, "value of " + Arrays.stream(known).collect(Collectors.joining(", ", "[", "]")), word);
            }
        }
        return values;
    }

    long millis(String name, long otherwise, boolean endOfDay) {
        return text(name)
                .map(text -> {
                    try {
                        return text.contains("T")
                                ? LocalDateTime.parse(text, MOMENT)
                                        .toInstant(ZoneOffset.UTC)
                                        .toEpochMilli()
                                : LocalDate.parse(text)
                                                .plusDays(endOfDay ? 1 : 0)
                                                .atStartOfDay()
                                                .toInstant(ZoneOffset.UTC)
                                                .toEpochMilli()
                                        - (endOfDay ? 1 : 0);
                    } catch (DateTimeParseException noDate) {
                        throw RequestRefusedException.badValue(
                                name, "date such as 2026-11-18 or 2026-11-18T09:47:46.000GMT", text);
                    }
                })
                .orElse(otherwise);
    }

    static String timestamp(long millis) {
        return MOMENT.format(LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC));
    }
}
