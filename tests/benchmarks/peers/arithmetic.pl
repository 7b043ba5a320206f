% Equations over the naturals, counted: problem, solutions, CPU seconds.
:- use_module(library(clpfd)).

solution(squares, [N, M]) :- [N, M] ins 0..25, N * N + M * M #= 25.
solution(cubes, [A, B]) :- [A, B] ins 0..1729, A * A * A + B * B * B #= 1729.
solution(pythagoras, [N, M, K]) :- K in 0..200, [N, M] ins 1..200, N #=< M, N * N + M * M #= K * K.
solution(product, [A, B, C, D, E]) :- [A, B, C, D, E] ins 0..30030, A * B * C * D * E #= 30030.
solution(total, [A, B, C, D]) :- [A, B, C, D] ins 0..100, A + B + C + D #= 100.

% At most so many inferences each: half a minute.
measure(Name) :-
    statistics(cputime, Start),
    Goal = aggregate_all(count, (solution(Name, Vs), label(Vs)), Counted),
    call_with_inference_limit(Goal, 400000000, Ended),
    ( Ended == inference_limit_exceeded -> Count = -1 ; Count = Counted ),
    statistics(cputime, End),
    Seconds is End - Start,
    format("~w ~d ~6f~n", [Name, Count, Seconds]).

:- initialization((forall(member(N, [squares, cubes, pythagoras, product, total]), measure(N)), halt)).
